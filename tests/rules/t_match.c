/*
 * t_match.c: match lines and select keys against descriptions of classes and methods.
 */
#include "tests/rules/kit.h"

#include "base/banned.h"

#define YES(pattern, cls, method, desc) ok(kit_matches(pattern, cls, method, desc))
#define NO(pattern, cls, method, desc)  ok(!kit_matches(pattern, cls, method, desc))

TEST(class_patterns)
{
	YES("com.acme.**", "com/acme/Foo", "f", "()V");
	YES("com.acme.**", "com/acme/x/y/Foo$Bar", "f", "()V");
	NO("com.acme.**", "com/acme2/Foo", "f", "()V");
	NO("com.acme.**", "com/acme", "f", "()V");
	YES("com.acme.*", "com/acme/Foo", "f", "()V");
	NO("com.acme.*", "com/acme/x/Foo", "f", "()V");
	YES("com.*.Foo", "com/acme/Foo", "f", "()V");
	YES("com.acme.Fo?", "com/acme/Foo", "f", "()V");
	NO("com.acme.Fo?", "com/acme/Fo", "f", "()V");
	YES("**Impl", "com/acme/FooImpl", "f", "()V");
	YES("**.Foo", "Foo", "f", "()V");
	YES("**.Foo", "com/acme/Foo", "f", "()V");
	NO("**.Foo", "com/acme/XFoo", "f", "()V");
	YES("com.**.Foo", "com/Foo", "f", "()V");
	YES("com.**.Foo", "com/a/b/Foo", "f", "()V");
	YES("com.acme.Outer$*", "com/acme/Outer$Inner", "f", "()V");
	NO("com.acme.Outer", "com/acme/Outer$Inner", "f", "()V");
	YES("*", "Foo", "f", "()V");
	NO("*", "a/Foo", "f", "()V");
	YES("**", "a/Foo", "f", "()V");
}

TEST(method_patterns)
{
	YES("com.acme.Foo#run", "com/acme/Foo", "run", "()V");
	NO("com.acme.Foo#run", "com/acme/Foo", "runs", "()V");
	YES("**#get*()", "com/acme/Foo", "getX", "()I");
	NO("**#get*()", "com/acme/Foo", "getX", "(I)I");
	YES("**#f(int, ..)", "A", "f", "(IJ)V");
	YES("**#f(int, ..)", "A", "f", "(I)V");
	NO("**#f(int, ..)", "A", "f", "(J)V");
	NO("**#f(int, ..)", "A", "f", "()V");
	YES("**#f(..)", "A", "f", "()V");
	YES("**#f(java.lang.String[], int[][], boolean)", "A", "f", "([Ljava/lang/String;[[IZ)V");
	NO("**#f(java.lang.String[])", "A", "f", "(Ljava/lang/String;)V");
	NO("**#f(java.lang.String)", "A", "f", "([Ljava/lang/String;)V");
	YES("**#f(java.lang.String...)", "A", "f", "([Ljava/lang/String;)V");
	YES("**#f(*)", "A", "f", "([[Ljava/lang/String;)V");
	NO("**#f(*)", "A", "f", "(II)V");
	YES("**#f(*[])", "A", "f", "([[J)V");
	NO("**#f(*[])", "A", "f", "(J)V");
	YES("**#f(java.**.List)", "A", "f", "(Ljava/util/List;)V");
	NO("**#f(String)", "A", "f", "(Ljava/lang/String;)V");
	YES("**#*:void", "A", "f", "()V");
	NO("**#*:void", "A", "f", "()I");
	YES("**:int", "A", "f", "()I");
	YES("**#f():java.util.*", "A", "f", "()Ljava/util/Map;");
	YES("  public   **#f ( int , .. ) : int ", "A", "f", "(I)I");
	NO("private **#f", "A", "f", "()V");
	YES("!static public **#f", "A", "f", "()V");
	NO("static public **#f", "A", "f", "()V");
	NO("interface **#f", "A", "f", "()V");
}

TEST(wildcards_and_special_methods)
{
	NO("**", "A", "<init>", "()V");
	NO("**#*", "A", "<init>", "()V");
	NO("**#*", "A", "<clinit>", "()V");
	YES("**#<init>", "A", "<init>", "()V");
	NO("**#<init>", "A", "<clinit>", "()V");
	YES("**#<clinit>", "A", "<clinit>", "()V");
	YES("A#<init>(int, ..)", "A", "<init>", "(IJ)V");
	NO("**#?init?", "A", "<init>", "()V");
}

/* What rules_is_literal() says of a character holds at each place where a name can have it. */
TEST(literal_characters)
{
	static const char syntax[] = " \t*?#:(),;@!/<>|&{}\"'\\~+%^=`";

	ok(rules_is_literal(0xe9) && rules_is_literal(0x1f600));
	for (size_t i = 0; i < sizeof syntax; i++)
		ok(!rules_is_literal((unsigned char)syntax[i]));
	ok(!rules_is_literal('[') && !rules_is_literal(']') && !rules_is_literal(0x7f));
	for (int c = 1; c < 0x80; c++) {
		char pattern[64], cls[32], method[8], desc[32];
		int s = c == '.' ? '/' : c;

		if (!rules_is_literal((uint32_t)c))
			continue;
		snprintf(pattern, sizeof pattern, "a%cb.C%cD#m%cn(a%cb.T):a%cb.T", c, c,
			 c == '.' ? '_' : c, c, c);
		snprintf(cls, sizeof cls, "a%cb/C%cD", s, s);
		snprintf(method, sizeof method, "m%cn", c == '.' ? '_' : c);
		snprintf(desc, sizeof desc, "(La%cb/T;)La%cb/T;", s, s);
		tap_ok(kit_matches(pattern, cls, method, desc), pattern, __FILE__, __LINE__);
		NO(pattern, "a+b/C+D", "m+n", "(La+b/T;)La+b/T;");
	}
}
