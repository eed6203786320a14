%% facts
age("Ana", 31)
age("Ben", 31.0)
age("Eva", "31")
born_on("Ana", "1995-05-17")
married_on("Ana", "2024-05-16")
full("Ana", "de la Cruz")
flag("Ana", true)
flag("Ben", null)
%% rules
same_age(x, y) :- age(x, n), age(y, n), x < y.
older(x) :- age(x, n), n > 30.
age_at_marriage(x, n) :- born_on(x, d), married_on(x, e), n = years(d, e).
name(x, n) :- full(x, y), n = concat(x, " ", y).
short(x) :- full(_, x), length(x) < 20, starts_with(x, "DE "), not ends_with(x, "y").
next(x, n / 2 + 1) :- age(x, n).
flagged(x) :- flag(x, true).
unknown(x) :- flag(x, null).
late(x) :- married_on(x, d), d >= @2024.
%% expected
same_age("Ana", "Ben")
older("Ana")
older("Ben")
age_at_marriage("Ana", 28)
name("Ana", "Ana de la Cruz")
short("de la Cruz")
next("Ana", 16.5)
next("Ben", 16.5)
flagged("Ana")
unknown("Ben")
late("Ana")
