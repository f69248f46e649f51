|f a
  | b
1 |
|
||f a
