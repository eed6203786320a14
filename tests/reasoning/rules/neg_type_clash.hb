p(x) :- q(x, n), n + 1 > "a".
%% refused
type_clash at line 1, column 18: (n + 1) is a number where a text must stand
  p(x) :- q(x, n), n + 1 > "a".
                   ^^^^^
  compare like with like
