1 a b
1 |f :2
1 |f a:
1 |f a:1:2
1 |:2 a
1 |f:x a
1 |f:2 b:x
1 |f:1e300 b:1e300
