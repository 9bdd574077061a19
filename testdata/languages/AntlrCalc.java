import java.io.StringReader;

/** Runs the parser that ANTLR 2 made of calc.g: right, wrong and failing lines. */
public class AntlrCalc {
    public static void main(String[] args) {
        for (String line : new String[] {"1 + 2 * 3", "x = (4 - abc) * 12 / 3", "1 +", "2 $ 3", "1 / 0", "((((((7))))))"}) {
            try {
                CalcParser parser = new CalcParser(new CalcLexer(new StringReader(line)));
                parser.line();
                System.out.println(parser.getAST().toStringTree() + ": " + new CalcWalker().value(parser.getAST()));
            } catch (Exception e) {
                System.out.println(line + ": " + e);
            }
        }
    }
}
