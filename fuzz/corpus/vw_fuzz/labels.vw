1:0.5 |f a
1,3 |f a
'tag 1 |f a
0 |f a
