size(x, count(y)) :- size(y, x).
%% refused
cyclic_negation at line 1, column 22: rules are not stratifiable: size depends on an aggregate of size: size -> an aggregate of size
  size(x, count(y)) :- size(y, x).
                       ^^^^^^^^^^
  size must be complete before it is looked at so: give one step of the cycle another name
