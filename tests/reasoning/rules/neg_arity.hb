p(x) :- q(x, _).
r(x) :- q(x).
%% refused
arity_mismatch at line 2, column 9: q has 1 arguments here and 2 at line 1, column 9
  r(x) :- q(x).
          ^^^^
  give it the same number everywhere
