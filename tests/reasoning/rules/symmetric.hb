%% facts
married_to("Ana", "Ben")  [2020, 2022)
%% rules
symmetric(married_to).
partner(x) :- married_to(x, _).
%% expected
married_to("Ana", "Ben")  [2020, 2022)
married_to("Ben", "Ana")  [2020, 2022)
partner("Ana")  [2020, 2022)
partner("Ben")  [2020, 2022)
