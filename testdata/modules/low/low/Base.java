package low;

/** In a named module of its own, woven by itself. */
public class Base {
    public int twice(int n) {
        int m = n;
        for (int i = 0; i < n; i++)
            m++;
        return m;
    }
}
