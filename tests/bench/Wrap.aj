package bench;

/** The same job as an aspect. */
aspect Wrap {
	pointcut body() : (execution(* *(..)) || execution(*.new(..)) || staticinitialization(*)) && !within(bench..*);

	before() : body() {
		Probe.enter(0);
	}

	after() returning : body() {
		Probe.exit(0);
	}

	after() throwing : body() {
		Probe.fail(0);
	}
}
