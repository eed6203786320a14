%% facts
works_at("Ana", "Acme")  [2018, 2020)
works_at("Ana", "Acme")  [2020, 2021)
works_at("Ben", "Acme")  [2020-06, 2022)
works_at("Ana", "Beta")  [2021, …)
moved_on("Ana", "2020-12-24")
%% rules
once_colleagues(x, y) :- works_at(x, z)@i, works_at(y, z)@j, intersects(i, j), x < y.
changed(x, y, z) :- works_at(x, y)@i, works_at(x, z)@j, meets(i, j).
stayed(x, y, n) :- works_at(x, y)@i, n = duration(i).
left(x, y, d) :- works_at(x, y)@i, d = end(i).
employer_when_moved(x, y) :- moved_on(x, t), works_at(x, y)@t.
was_there(x) :- works_at(x, "ACME")@2019.
ever(x) :- works_at(x, _)@_.
%% expected
once_colleagues("Ana", "Ben")
changed("Ana", "Acme", "Beta")
stayed("Ana", "Acme", 1096)
stayed("Ben", "Acme", 579)
left("Ana", "Acme", "2021-01-01")
left("Ben", "Acme", "2022-01-01")
employer_when_moved("Ana", "Acme")
was_there("Ana")
ever("Ana")
ever("Ben")
