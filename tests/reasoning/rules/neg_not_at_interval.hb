p(x) :- q(x)@i, r(x)@j, before(i, j), not s(x)@i.
%% refused
type_clash at line 1, column 48: i is an interval where a text must stand
  p(x) :- q(x)@i, r(x)@j, before(i, j), not s(x)@i.
                                                 ^
  an interval i has start(i), end(i) and duration(i)
