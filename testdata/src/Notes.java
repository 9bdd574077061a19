import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/** Annotations wherever class file 55 can hold them. */
@Notes.Mark(number = 7, word = "class", kinds = { ElementType.TYPE, ElementType.FIELD },
	inner = @Notes.Small(3), type = String.class)
@Deprecated
public class Notes<T extends @Notes.Small(1) Object> {
	@Retention(RetentionPolicy.RUNTIME)
	@interface Mark {
		int number() default 1;
		String word() default "none";
		ElementType[] kinds() default {};
		Small inner() default @Small(0);
		Class<?> type() default Object.class;
	}

	@Target({ ElementType.TYPE_USE, ElementType.TYPE_PARAMETER, ElementType.PARAMETER })
	@Retention(RetentionPolicy.RUNTIME)
	@interface Small {
		int value();
	}

	@Retention(RetentionPolicy.CLASS)
	@interface Quiet {
		long big() default 1L << 40;
		double real() default 2.5;
		char letter() default 'x';
		boolean flag() default true;
	}

	@Quiet(flag = false)
	List<@Small(2) ? super @Small(4) T> field;

	@Mark
	@Quiet
	<U extends Comparable<@Small(5) U>> @Small(6) String method(@Small(7) @Quiet String text,
		final int plain) throws @Small(8) RuntimeException {
		@Small(9) String local = (@Small(10) String) text;

		try (@Small(11) AutoCloseable resource = new @Small(12) Resource()) {
			if (resource instanceof @Small(13) Resource)
				local = this.<@Small(14) String>same(local);
		} catch (@Small(15) Exception e) {
			java.util.function.Supplier<String> s = @Small(16) String::new;
			local = s.get();
		}
		return local;
	}

	<V> V same(V value) {
		return value;
	}

	static class Resource implements AutoCloseable {
		@Override
		public void close() {
		}
	}
}
