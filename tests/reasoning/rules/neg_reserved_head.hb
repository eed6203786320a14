starts_with(x, y) :- q(x, y).
%% refused
reserved_name at line 1, column 1: starts_with is built in
  starts_with(x, y) :- q(x, y).
  ^^^^^^^^^^^^^^^^^
  choose another name
