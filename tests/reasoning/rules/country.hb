%% facts
lives_in("Ana", "Munich")  [2024-03, …)
lives_in("Ana", "Berlin")  [2020, 2024-03)
located_in("munich", "Bavaria")
located_in("Bavaria", "Germany")
located_in("Berlin", "Germany")  [1990-10-03, …)
%% rules
within(x, y) :- located_in(x, y).
within(x, z) :- within(x, y), located_in(y, z).
lives_in_country(x, c) :- lives_in(x, y), within(y, c).
%% expected
within("Munich", "Bavaria")
within("Munich", "Germany")
within("Bavaria", "Germany")
within("Berlin", "Germany")  [1990-10-03, …)
lives_in_country("Ana", "Bavaria")  [2024-03, …)
lives_in_country("Ana", "Germany")  [2020, …)
