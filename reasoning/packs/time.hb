% Time: ages, lengths of stay, what came before what. What is current needs no rule: a question without a date is about now.
% Ages today are asked, since rules do not look at the clock:  ?- born_on("Ana", d), age = years(d, now).
% Reads  born_on(person, date), works_at(person, organisation), lives_in(person, place), married_to(person, person)

age_when_joined(x, y, n) :- born_on(x, d), works_at(x, y)@i, n = years(d, start(i)).
age_when_moved(x, y, n) :- born_on(x, d), lives_in(x, y)@i, n = years(d, start(i)).
tenure_days(x, y, n) :- works_at(x, y)@i, n = duration(i).
joined_on(x, y, d) :- works_at(x, y)@i, d = start(i).
left_on(x, y, d) :- works_at(x, y)@i, d = end(i).
worked_before(x, y, z) :- works_at(x, y)@i, works_at(x, z)@j, before(i, j).
worked_before(x, y, z) :- works_at(x, y)@i, works_at(x, z)@j, meets(i, j).
once_colleague_of(x, y) :- works_at(x, z)@i, works_at(y, z)@j, intersects(i, j), x != y.
older_than(x, y) :- born_on(x, d), born_on(y, e), d < e.
