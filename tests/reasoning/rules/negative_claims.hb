%% facts
likes("Ana", "tea")
-likes("Ben", "tea")
person("Ana")
person("Ben")
person("Eva")
%% rules
offers_tea(x) :- person(x), likes(x, "tea").
asks_first(x) :- person(x), not likes(x, "tea"), not -likes(x, "tea").
-offers_tea(x) :- -likes(x, "tea").
%% expected
offers_tea("Ana")
asks_first("Eva")
-offers_tea("Ben")
