class CalcParser extends Parser;
options { k = 2; buildAST = true; }
line: (assign | expr) EOF!;
assign: NAME EQ^ expr;
expr: term ((PLUS^ | MINUS^) term)*;
term: atom ((TIMES^ | OVER^) atom)*;
atom: INT | NAME | LP! expr RP!;
class CalcLexer extends Lexer;
INT: ('0'..'9')+; NAME: ('a'..'z')+; EQ: '='; PLUS: '+'; MINUS: '-'; TIMES: '*'; OVER: '/'; LP: '('; RP: ')';
WS: (' ' | '\t') { $setType(Token.SKIP); };
class CalcWalker extends TreeParser;
value returns [int n = 0] { int a, b; }
	: #(PLUS a=value b=value) { n = a + b; }
	| #(MINUS a=value b=value) { n = a - b; }
	| #(TIMES a=value b=value) { n = a * b; }
	| #(OVER a=value b=value) { n = a / b; }
	| #(EQ x:NAME a=value) { n = a; System.out.print(x.getText() + " is "); }
	| i:INT { n = Integer.parseInt(i.getText()); }
	| y:NAME { n = y.getText().length(); }
	;
