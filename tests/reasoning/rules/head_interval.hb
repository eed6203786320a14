%% facts
lives_in("Ana", "Oslo")  [2020, 2022)
works_in("Ana", "Oslo")  [2021, 2024)
%% rules
settled(x, y)@i :- lives_in(x, y)@i, works_in(x, y)@j, overlaps(i, j).
%% expected
settled("Ana", "Oslo")  [2020, 2022)
