p(x) :- q(x)
%% refused
syntax_error at line 1, column 12: the text ends inside a rule
  p(x) :- q(x)
             ^
  end the rule with '.'; expected '.'
