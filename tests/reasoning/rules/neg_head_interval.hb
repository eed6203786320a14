settled(x)@t :- lives_in(x, _), t = @2020.
%% refused
type_clash at line 1, column 12: t in a head is no interval of the body
  settled(x)@t :- lives_in(x, _), t = @2020.
             ^
  write head(x)@i :- body(x)@i.
