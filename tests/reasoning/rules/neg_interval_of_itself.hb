p(x, z) :- p(x, _)@i, q(x, z)@j, before(i, j).
%% refused
cyclic_negation at line 1, column 12: rules are not stratifiable: p depends on the intervals of p: p -> the intervals of p
  p(x, z) :- p(x, _)@i, q(x, z)@j, before(i, j).
             ^^^^^^^
  p must be complete before it is looked at so: give one step of the cycle another name
