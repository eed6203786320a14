old(x) :- born_on(x, d), years(d, now) > 80.
%% refused
misplaced_clock at line 1, column 35: now stands in a rule
  old(x) :- born_on(x, d), years(d, now) > 80.
                                    ^^^
  give the instant as a variable bound by a fact, and use now in the question
