import java.util.function.Supplier;

/** Statements before super(...) and this(...), as javac of 25 writes them. */
public class Odd25 {
    static class Parent {
        final String seen;

        Parent(int n) {
            if (n > 100)
                throw new IllegalStateException("over " + n);
            seen = "parent " + n + " " + late();
        }

        String late() {
            return "parent";
        }
    }

    static class Child extends Parent {
        final int early;
        private final String text;

        Child(int n, String text) {
            // checked, and a field set, before super()
            if (text == null)
                throw new IllegalArgumentException("no text");
            int sum = 0;
            for (char c : text.toCharArray()) {
                if (c == ' ')
                    continue;
                sum += c % 7;
            }
            early = sum;
            this.text = switch (text.length()) {
                case 0 -> "empty";
                case 1 -> "one " + text;
                default -> text;
            };
            try {
                sum += Integer.parseInt(text);
            } catch (NumberFormatException e) {
                sum -= 1;
            } finally {
                sum *= 2;
            }
            super(n + sum);
            if (early == 3)
                throw new IllegalStateException("after super");
        }

        Child(Object o) {
            Supplier<Object> made = () -> o instanceof Pair(int e, String t) ? e + t : "none";
            class Local {
                int twice() {
                    return 2 * made.get().hashCode() % 50;
                }
            }
            int n = new Local().twice();
            if (n < 0) {
                n = -n;
            }
            this(n, String.valueOf(made.get()));
        }

        record Pair(int a, String b) {
            Pair(String both) {
                int at = both.indexOf('/');
                if (at < 0)
                    throw new IllegalArgumentException(both);
                String tail = both.substring(at + 1);
                this(Integer.parseInt(both.substring(0, at)), tail);
            }
        }

        @Override
        String late() {
            return "child " + early + " " + text;
        }
    }

    public static void main(String[] args) {
        for (String text : new String[] {"", "a", "12", "x y z", "500", null, "hello", "\3"})
            try {
                System.out.println(new Child(3, text).seen);
            } catch (RuntimeException e) {
                System.out.println(e + " " + e.getStackTrace()[0]);
            }
        for (Object o : new Object[] {"s", 1, new Child.Pair(7, "seven")})
            try {
                System.out.println(new Child(o).seen);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        for (String both : new String[] {"1/2", "x/y", "none"})
            try {
                System.out.println(new Child.Pair(both));
            } catch (RuntimeException e) {
                System.out.println(e + " " + e.getStackTrace()[e.getStackTrace().length - 1]);
            }
    }
}
