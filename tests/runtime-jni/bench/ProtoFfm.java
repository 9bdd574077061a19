import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;

/**
 * The prototype's functions as critical calls (JDK 22 and later), which spill within the call: the floor
 * for the runtime's own way through FFM. By reflection, since JDK 17 compiles it.
 */
public final class ProtoFfm {
	private static final MethodHandle ENTER = handle(1), EXIT = handle(2);

	private static MethodHandle handle(int kind) {
		try {
			String ffm = "java.lang.foreign.";
			Class<?> linker = Class.forName(ffm + "Linker"), segment = Class.forName(ffm + "MemorySegment");
			Class<?> type = Class.forName(ffm + "FunctionDescriptor"), layout = Class.forName(ffm + "MemoryLayout");
			Class<?> values = Class.forName(ffm + "ValueLayout"), option = Class.forName(ffm + "Linker$Option");
			Object parameters = Array.newInstance(layout, 1), options = Array.newInstance(option, 1);
			Array.set(parameters, 0, values.getField("JAVA_LONG").get(null));
			Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, false));
			Object function = segment.getMethod("ofAddress", long.class).invoke(null, Proto.address(kind));
			Object shape = type.getMethod("ofVoid", parameters.getClass()).invoke(null, parameters);
			return (MethodHandle) linker.getMethod("downcallHandle", segment, type, options.getClass())
					.invoke(linker.getMethod("nativeLinker").invoke(null), function, shape, options);
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
	}

	public static void enter(long id) {
		try {
			ENTER.invokeExact(id);
		} catch (Throwable e) {
			throw new IllegalStateException(e);
		}
	}

	public static void exit(long id) {
		try {
			EXIT.invokeExact(id);
		} catch (Throwable e) {
			throw new IllegalStateException(e);
		}
	}
}
