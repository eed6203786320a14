functional(lives_in, 2).
%% refused
reserved_name at line 1, column 1: functional declares one predicate, by its name
  functional(lives_in, 2).
  ^^^^^^^^^^^^^^^^^^^^^^^
  write functional(lives_in).
