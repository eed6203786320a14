p(x) :- q(x), 3 < count(x).
%% refused
type_clash at line 1, column 19: the aggregate count stands in the head only, alone
  p(x) :- q(x), 3 < count(x).
                    ^^^^^^^^
  write the count in the head of a rule of its own, and use that rule here
