1 'tag|f a
1 'tag |f a
1 tag|f a
'tag |f a
tag|f a
1 1 0 'tag|f a
1|f a
