% Kinship: who descends from whom, and what follows. Marriage is read both ways.
% Reads  parent_of(parent, child), married_to(person, person)

symmetric(married_to).

child_of(y, x) :- parent_of(x, y).
ancestor_of(x, y) :- parent_of(x, y).
ancestor_of(x, z) :- ancestor_of(x, y), parent_of(y, z).
grandparent_of(x, z) :- parent_of(x, y), parent_of(y, z).
sibling_of(x, y) :- parent_of(z, x), parent_of(z, y), x != y.
cousin_of(x, y) :- parent_of(a, x), parent_of(b, y), sibling_of(a, b), x != y.
aunt_or_uncle_of(x, z) :- sibling_of(x, y), parent_of(y, z).
parent_in_law_of(x, y) :- parent_of(x, z), married_to(z, y).
relative_of(x, y) :- ancestor_of(z, x), ancestor_of(z, y), x != y.
relative_of(x, y) :- ancestor_of(x, y).
relative_of(x, y) :- ancestor_of(y, x).
