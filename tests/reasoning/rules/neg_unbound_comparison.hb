p(x) :- q(x), n > 3.
%% refused
unbound_variable at line 1, column 15: variable n in a comparison is not bound by a positive body atom: p(x) :- q(x), n > 3.
  p(x) :- q(x), n > 3.
                ^
  add a positive atom that uses n
