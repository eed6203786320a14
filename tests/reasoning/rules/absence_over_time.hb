%% facts
employed_by("Ana", "Acme")  [2020, 2024)
on_leave("Ana", "Acme")  [2021-02, 2021-05)
on_leave("Ana", "Acme")  [2021-04, 2021-06)
employed_by("Ben", "Acme")  [2020, 2024)
on_leave("Ben", "Acme")
%% rules
at_work(x) :- employed_by(x, y), not on_leave(x, y).
%% expected
at_work("Ana")  [2020, 2021-02)
at_work("Ana")  [2021-06, 2024)
