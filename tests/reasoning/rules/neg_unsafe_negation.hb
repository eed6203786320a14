ok(x) :- person(x), not banned(x, y).
%% refused
safety_violations at line 1, column 35: variable y in a negated atom is not bound by a positive body atom: ok(x) :- person(x), not banned(x, y).
  ok(x) :- person(x), not banned(x, y).
                                    ^
  add a positive atom that uses y, or write _ for any
