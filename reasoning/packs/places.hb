% Places: what lies in what, and where people live, work and were born, as far up as it is known.
% Reads  located_in(place, place), lives_in(person, place), born_in(person, place), country(place)

within(x, y) :- located_in(x, y).
within(x, z) :- within(x, y), located_in(y, z).
lives_within(x, y) :- lives_in(x, y).
lives_within(x, z) :- lives_in(x, y), within(y, z).
born_within(x, y) :- born_in(x, y).
born_within(x, z) :- born_in(x, y), within(y, z).
same_city(x, y) :- lives_in(x, z), lives_in(y, z), x != y.
lived_abroad_from(x, y) :- born_in(x, y), lives_in(x, z), not within(z, y), z != y.
