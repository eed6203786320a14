p(_) :- q(_).
%% refused
safety_violations at line 1, column 3: _ stands in the head
  p(_) :- q(_).
    ^
  give it a value or a variable
