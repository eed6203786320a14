p(x) :- q(x)@2020-13.
%% refused
syntax_error at line 1, column 13: @2020-13 is not a date
  p(x) :- q(x)@2020-13.
              ^^^^^^^^
  write 2020, 2020-03, 2020-03-15 or 2020-03-15T10:00:00Z
