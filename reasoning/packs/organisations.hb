% Organisations and roles: who works where and with whom, who is responsible for whom, where that is.
% Reads  works_at(person, organisation), part_of(organisation, organisation), reports_to(person, person),
%        headquartered_in(organisation, place), located_in(place, place), leads(person, organisation)

belongs_to(x, y) :- part_of(x, y).
belongs_to(x, z) :- belongs_to(x, y), part_of(y, z).
works_for(x, y) :- works_at(x, y).
works_for(x, z) :- works_at(x, y), belongs_to(y, z).
colleague_of(x, y) :- works_at(x, z), works_at(y, z), x != y.
manages(x, y) :- reports_to(y, x).
above(x, y) :- manages(x, y).
above(x, z) :- above(x, y), manages(y, z).
works_in_place(x, z) :- works_at(x, y), headquartered_in(y, z).
headcount(y, count(x)) :- works_for(x, y).
leads_person(x, y) :- leads(x, z), works_for(y, z), x != y.
