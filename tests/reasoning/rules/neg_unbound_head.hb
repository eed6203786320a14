p(x, y) :- q(x).
%% refused
unbound_variable at line 1, column 6: variable y in the head is not bound by a positive body atom: p(x, y) :- q(x).
  p(x, y) :- q(x).
       ^
  add a positive atom that uses y
