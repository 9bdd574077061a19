package acme;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/** A class that two loaders have calls itself, from one to the other and back, to the end of the stack; far up that is caught. */
public class Twins {
	public static class Twin {
		public static Method other;

		public static void call(int n) throws Throwable {
			if (n == 6)
				catches(n);
			else
				go(n);
		}

		static void catches(int n) {
			try {
				go(n);
			} catch (Throwable e) {
				System.out.println(e.getClass());
			}
			for (int i = 0; i < 100; i++)
				after();
		}

		static void go(int n) throws Throwable {
			try {
				other.invoke(null, n + 1);
			} catch (InvocationTargetException e) {
				throw e.getCause();
			}
		}

		static void after() {
			Thread.yield();
		}
	}

	static class Loader extends URLClassLoader {
		Loader(URL... urls) {
			super(urls, null);
		}
	}

	static Method load() throws Exception {
		URL from = Twins.class.getProtectionDomain().getCodeSource().getLocation();
		return new Loader(from).loadClass("acme.Twins$Twin").getMethod("call", int.class);
	}

	static void become(Method one, Method other) throws Exception {
		one.getDeclaringClass().getField("other").set(null, other);
	}

	public static void main(String[] args) throws Exception {
		Method one = load(), other = load();
		become(one, other);
		become(other, one);
		Thread t = new Thread(null, () -> {
			try {
				one.invoke(null, 0);
			} catch (ReflectiveOperationException e) {
				System.out.println(e);
			}
		}, "deep", 1 << 20);
		t.start();
		t.join();
	}
}
