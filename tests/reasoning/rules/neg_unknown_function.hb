p(x) :- q(x, y), y = size(x).
%% refused
type_clash at line 1, column 22: there is no function size
  p(x) :- q(x, y), y = size(x).
                       ^^^^^^^
  an atom cannot stand inside an atom; the functions are div, mod, abs, round, floor, length, lower, upper, trim, concat, substring, replace, year, month, day, years, months, days, start, end, duration
