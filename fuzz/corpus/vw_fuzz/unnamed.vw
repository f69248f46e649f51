1 | a b:2 |g c | d
