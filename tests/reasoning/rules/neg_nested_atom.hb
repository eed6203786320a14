p(x) :- q(r(x)).
%% refused
type_clash at line 1, column 11: there is no function r
  p(x) :- q(r(x)).
            ^^^^
  an atom cannot stand inside an atom; the functions are div, mod, abs, round, floor, length, lower, upper, trim, concat, substring, replace, year, month, day, years, months, days, start, end, duration
