% Consistency: denials. A broken one marks the beliefs it rests on; it changes none.
% Reads  born_on, died_on, born_in, parent_of, married_to, works_at, located_in, and negative claims

:- born_on(x, d), born_on(x, e), d < e.
:- born_in(x, y), born_in(x, z), y < z, not located_in(y, z), not located_in(z, y).
:- born_on(x, d), died_on(x, e), e < d.
:- parent_of(x, x).
:- parent_of(x, y), parent_of(y, x), x < y.
:- parent_of(x, y), born_on(x, d), born_on(y, e), e < d.
:- married_to(x, x).
:- married_to(x, y), married_to(x, z), y < z.
:- died_on(x, d), works_at(x, _)@i, d < start(i).
:- located_in(x, x).
:- located_in(x, y), located_in(y, x), x < y.
:- likes(x, y), -likes(x, y).
:- likes(x, y), dislikes(x, y).
