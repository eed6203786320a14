mother(x) :- parent_of(x, child), female(x).
%% refused
singleton at line 1, column 27: the variable child is used once
  mother(x) :- parent_of(x, child), female(x).
                            ^^^^^
  write _child or _ if it does not matter
