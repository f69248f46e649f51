1|2|3
1 | red | yes
| a | b |
