%% facts
works_at("Ana", "Acme")  [2020, 2023)
works_at("Ben", "Acme")  [2021, 2022)
pays("Acme", "rent", 10)
pays("Acme", "heat", 10)
%% rules
headcount(y, count(x)) :- works_at(x, y).
costs(x, sum(n)) :- pays(x, _, n).
dearest(x, max(n), min(n), avg(n), count()) :- pays(x, _, n).
%% expected
headcount("Acme", 1)  [2020, 2021)
headcount("Acme", 2)  [2021, 2022)
headcount("Acme", 1)  [2022, 2023)
costs("Acme", 20)
dearest("Acme", 10, 10, 10, 2)
