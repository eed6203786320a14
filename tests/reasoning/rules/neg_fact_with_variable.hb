p(x, "a").
%% refused
unbound_variable at line 1, column 3: variable x in the head is not bound by a positive body atom: p(x, "a").
  p(x, "a").
    ^
  add a positive atom that uses x
