% Preferences: what a person likes by way of a wider or a narrower thing, and what they share.
% Reads  likes(person, thing), dislikes(person, thing), kind_of(thing, thing), avoids(person, thing), contains_food(thing, thing)
% A negative claim (-likes) outweighs what would be concluded.

sort_of(x, y) :- kind_of(x, y).
sort_of(x, z) :- sort_of(x, y), kind_of(y, z).
may_like(x, y) :- likes(x, z), sort_of(y, z), not dislikes(x, y), not -likes(x, y), not unsuitable(x, y).
may_dislike(x, y) :- dislikes(x, z), sort_of(y, z), not likes(x, y).
unsuitable(x, y) :- avoids(x, y).
unsuitable(x, y) :- avoids(x, z), sort_of(y, z).
unsuitable(x, y) :- avoids(x, z), contains_food(y, z).
shares_taste_with(x, y) :- likes(x, z), likes(y, z), x != y.
shared_tastes(x, y, count(z)) :- likes(x, z), likes(y, z), x != y.
