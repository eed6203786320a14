%% facts
parent_of("Ana", "Ben")
parent_of("Ana", "Eva")
parent_of("Ben", "Tim")
parent_of("Eva", "Ida")
%% rules
same_generation(x, y) :- parent_of(p, x), parent_of(p, y), x != y.
same_generation(x, y) :- parent_of(p, x), same_generation(p, q), parent_of(q, y).
%% expected
same_generation("Ben", "Eva")
same_generation("Eva", "Ben")
same_generation("Tim", "Ida")
same_generation("Ida", "Tim")
