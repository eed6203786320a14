%% facts
office_of("Acme", "Oslo")
works_at("Ana", "Acme")
works_at("Ben", "Acme")
based_in("Ana", "Bergen")  [2021, 2022)
%% rules
functional(based_in).
based_in(x, y) :- works_at(x, z), office_of(z, y).
%% expected
based_in("Ana", "Bergen")  [2021, 2022)
based_in("Ana", "Oslo")  […, 2021)
based_in("Ana", "Oslo")  [2022, …)
based_in("Ben", "Oslo")
