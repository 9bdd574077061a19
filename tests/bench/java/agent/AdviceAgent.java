package agent;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatchers;

/** An agent as one writes it by Byte Buddy: advice at both ends of each method of the package that its argument names. */
public class AdviceAgent {
	public static void premain(String argument, Instrumentation instrumentation) {
		Advice.WithCustomMapping advice = Advice.withCustomMapping().bind(Number.class, (instrumented, method, assigner, handler, sort) ->
				new Advice.OffsetMapping.Target.ForStackManipulation(
						net.bytebuddy.implementation.bytecode.constant.IntegerConstant.forValue(Log.id(method.toString()))));
		new AgentBuilder.Default().type(ElementMatchers.nameStartsWith(argument))
				.transform((builder, type, loader, module, domain) -> builder.visit(advice.to(Both.class).on(ElementMatchers.isMethod()))
						.visit(advice.to(OfConstructors.class).on(ElementMatchers.isConstructor())))
				.installOn(instrumentation);
	}

	@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
	@interface Number {
	}

	public static class Both {
		@Advice.OnMethodEnter(inline = true)
		static void enter(@Number int id) {
			Log.add(id);
		}

		@Advice.OnMethodExit(inline = true, onThrowable = Throwable.class)
		static void exit(@Number int id) {
			Log.add(~id);
		}
	}

	/** Of these no advice can have the end by an exception. */
	public static class OfConstructors {
		@Advice.OnMethodEnter(inline = true)
		static void enter(@Number int id) {
			Log.add(id);
		}

		@Advice.OnMethodExit(inline = true)
		static void exit(@Number int id) {
			Log.add(~id);
		}
	}
}
