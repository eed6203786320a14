p(x) :- q(x), not r(x)@t.
%% refused
safety_violations at line 1, column 24: variable t in a negated atom is not bound by a positive body atom: p(x) :- q(x), not r(x)@t.
  p(x) :- q(x), not r(x)@t.
                         ^
  add a positive atom that uses t, or write _ for any
