p(x, i) :- q(x)@i.
%% refused
type_clash at line 1, column 6: i is an interval where a value must stand
  p(x, i) :- q(x)@i.
       ^
  an interval i has start(i), end(i) and duration(i)
