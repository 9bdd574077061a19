grammar Expr;
expr: term (('+'|'-') term)*;
term: INT | '(' expr ')';
INT: '0'..'9'+;
WS: (' '|'\n')+ {$channel=HIDDEN;};
