package high;

import low.Base;

/** In a module that needs another one, both woven; also from two sealed jars on the class path. */
public class Main extends Base {
    @Override
    public int twice(int n) {
        return super.twice(n) + 1;
    }

    public static void main(String[] args) {
        System.out.println(new Main().twice(20) + " " + Main.class.getModule().getName());
    }
}
