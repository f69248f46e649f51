1	|f	a  b:2	

 
0 |f a