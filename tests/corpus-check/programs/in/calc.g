class P extends Parser;
expr: term ((PLUS|MINUS) term)*;
term: INT | LP expr RP;
class L extends Lexer;
INT: ('0'..'9')+; PLUS: '+'; MINUS: '-'; LP: '('; RP: ')'; WS: (' '|'\n') {$setType(Token.SKIP);};
