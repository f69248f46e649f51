1 2 |f a
1 1 0.3 |f a
1 x |f a
1 1 0 0 |f a
1 1 |f a
