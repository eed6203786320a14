p(x) :- q(x, Munich City).
%% refused
syntax_error at line 1, column 21: 'City' cannot stand here
  p(x) :- q(x, Munich City).
                      ^^^^
  expected '(', ')', ',', '.', ':-', a comparison
