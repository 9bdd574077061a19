/** A module descriptor with every kind of directive. */
open module demo.module {
	requires transitive java.logging;
	requires static java.sql;
	exports demo.api to java.logging;
	uses java.util.function.Supplier;
	provides java.util.function.Supplier with demo.api.Service;
}
