1 |f a b:2 |g a:-0.5e3
-1 |f b
