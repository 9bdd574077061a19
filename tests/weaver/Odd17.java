import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** What javac of 17 writes for the newer parts of the language; prints what each does, reflection included. */
public class Odd17 {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    @interface T {
        int value() default 0;
    }

    sealed interface Shape permits Circle, Square, Nothing {
        default double area() {
            return switch (kind()) {
                case "circle" -> 3;
                case "square" -> 4;
                default -> privately() + statically();
            };
        }

        String kind();

        private double privately() {
            return 0.5;
        }

        static double statically() {
            return 0.25;
        }
    }

    record Circle(@T(1) double r) implements Shape {
        Circle {
            if (r < 0)
                throw new IllegalArgumentException("r " + r);
        }

        public String kind() {
            return "circle";
        }
    }

    record Square(double a, int... more) implements Shape {
        Square(String text) {
            this(Double.parseDouble(text), text.length() > 2 ? new int[] {1, 2} : new int[0]);
        }

        public String kind() {
            return "square";
        }
    }

    enum Nothing implements Shape {
        A {
            @Override
            public String kind() {
                return "a" + secret();
            }
        },
        B;

        public String kind() {
            return "b" + secret();
        }

        private static int secret() {
            return 42;
        }
    }

    /** Nest mates: private members of each other, without accessors. */
    private class Inner extends ArrayList<@T(2) String> {
        private int secret = outer++;

        private Inner(@T(3) int... n) throws @T(4) IllegalStateException {
            super(n.length > 1 ? n[0] > 0 ? n[1] : n[0] + 5 : 7);
            if (n.length == 0)
                throw new IllegalStateException("none");
        }

        class Deeper {
            private int both() {
                return secret + outer;
            }
        }
    }

    private int outer = 10;

    static <@T(5) X extends @T(6) Comparable<@T(7) ? super X>> @T(8) X typed(@T(9) List<@T(10) X> in) {
        @T(11)
        X best = null;
        for (@T(12) X x : in) {
            @T(13)
            Object o = x;
            if (o instanceof @T(14) Comparable<?> c && best == null)
                best = (@T(15) X) c;
            else if (x.compareTo(best) > 0)
                best = x;
        }
        try (@T(16) Resource a = new @T(17) Resource("a"); Resource b = new Resource("b")) {
            Supplier<@T(18) Resource> made = () -> new @T(19) Resource("c");
            Function<String, @T(20) Resource> ref = @T(21) Resource::new;
            made.get().close();
            ref.apply("d").close();
        } catch (@T(22) IllegalStateException | @T(23) IllegalArgumentException e) {
            System.out.println("caught " + e.getMessage());
        }
        return best;
    }

    record Resource(String name) implements AutoCloseable {
        public void close() {
            if (name.equals("d"))
                throw new IllegalStateException("closing " + name);
            System.out.println("closed " + name);
        }
    }

    static int finallies(int i) {
        for (int k = 0;; k++) {
            try {
                try {
                    if (k == i)
                        return 100 / (i - 1);
                    if (k > 3)
                        throw new IllegalStateException();
                } finally {
                    if (k == 5)
                        break;
                    synchronized (Odd17.class) {
                        if (k == 1)
                            continue;
                    }
                }
            } catch (ArithmeticException e) {
                return -k;
            }
        }
        return 77;
    }

    static String strings(Object o) {
        String s = o instanceof Integer i && i > 3 ? "big " + i : o instanceof String t ? "text " + t : "other";
        return switch (s) {
            case "big 7", "text FB", "text Ea" -> s + "!";
            default -> {
                int n = 0;
                while (n < s.length())
                    n += s.charAt(n) % 3 + 1;
                yield s + n;
            }
        };
    }

    static void reflect(Class<?> c) throws Exception {
        Method[] methods = c.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::toGenericString));
        for (Method m : methods) {
            System.out.println(m.toGenericString() + " " + Arrays.toString(m.getParameters()) + " "
                    + Arrays.deepToString(m.getParameterAnnotations()));
            if (m.getAnnotatedReturnType() instanceof AnnotatedParameterizedType t)
                System.out.println(t);
        }
        System.out.println(Arrays.toString(c.getPermittedSubclasses()) + c.getNestHost() + c.isRecord());
    }

    public static void main(String[] args) throws Exception {
        Odd17 odd = new Odd17();
        for (Shape s : new Shape[] {new Circle(1), new Square("2.5"), new Square("3"), Nothing.A, Nothing.B})
            System.out.println((s instanceof Square q ? Arrays.toString(q.more()) : s.toString()) + " " + s.area()
                    + " " + (s instanceof Record r ? r.equals(s) : "no record"));
        for (int[] n : new int[][] {{1, 2}, {0, 3}, {1}, {}, {-9, 1}})
            try {
                Inner inner = odd.new Inner(n);
                System.out.println(inner.new Deeper().both() + " " + inner.secret);
            } catch (RuntimeException e) {
                System.out.println(e + " at " + e.getStackTrace()[0]);
            }
        try {
            new Circle(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getLineNumber());
        }
        System.out.println(typed(List.of(3, 9, 4)));
        for (int i = 0; i < 7; i++)
            try {
                System.out.println(finallies(i));
            } catch (IllegalStateException e) {
                System.out.println("state at " + e.getStackTrace()[0].getLineNumber());
            }
        for (Object o : new Object[] {7, 8, 1, "FB", "Ea", "x", 1.5})
            System.out.println(strings(o));
        Map<String, Callable<Object>> calls = new TreeMap<>();
        IntFunction<int[]> array = int[]::new;
        calls.put("a", () -> array.apply(3).length);
        calls.put("b", odd::toString);
        calls.put("c", new Object() {
            int n = 5;

            Object up() {
                return ++n;
            }
        }::up);
        for (Callable<Object> c : calls.values())
            System.out.println(c.call() != null);
        // hidden frames and caller-sensitive code see the same callers
        List<String> walked = StackWalker.getInstance().walk(s -> s.map(f -> f.getMethodName()).toList());
        System.out.println(walked);
        for (Class<?> c : new Class<?>[] {Shape.class, Circle.class, Square.class, Nothing.class, Inner.class, Odd17.class})
            reflect(c);
    }
}
