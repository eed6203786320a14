p(x) :- q(x, "Munich).
%% refused
syntax_error at line 1, column 14: '"' cannot stand here
  p(x) :- q(x, "Munich).
               ^
  close the quotes
