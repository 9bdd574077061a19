import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import jweave.rt.Probe;

/** Makes an object of each of N classes, which are unloaded after that; then M objects of another one. */
public class Unloads {
	public static class Short {
	}

	static class Other {
	}

	static class Loader extends ClassLoader {
		Class<?> define(byte[] of) {
			return defineClass("Unloads$Short", of, 0, of.length);
		}
	}

	static volatile Object kept;

	static byte[] code() throws Exception {
		try (InputStream in = Unloads.class.getResourceAsStream("Unloads$Short.class")) {
			ByteArrayOutputStream out = new ByteArrayOutputStream();
			for (int c = in.read(); c >= 0; c = in.read())
				out.write(c);
			return out.toByteArray();
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]), m = Integer.parseInt(args[1]);
		byte[] code = code();
		Probe.enter(1);
		for (int i = 0; i < n; i++)
			kept = new Loader().define(code).getConstructor().newInstance();
		kept = null;
		System.gc();
		for (int i = 0; i < m; i++)
			kept = new Other();
		Probe.exit(1);
		System.out.println("done");
	}
}
