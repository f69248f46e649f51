1 | the cat the dog the:0.5
1 |f:2 a |f:3 a
1 |f a | f^a:2
