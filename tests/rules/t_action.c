/*
 * t_action.c: what rules do with what they choose: operations, captures, defaults, enabled.
 */
#include "rules/lint.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

static const struct rules_rule *only(struct rules *r)
{
	is_int(r ? rules_count(r) : 0, 1);
	return r && rules_count(r) == 1 ? rules_rule(r, 0) : NULL;
}

/* The captures of FACE in the words of the rules. */
static const char *captures(const struct rules_rule *face)
{
	static char text[512];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; face && i < face->capture_count; i++) {
		const struct jw_capture *c = &face->captures[i];
		const char *as = c->as == JW_AS_COUNT ? "?" : jw_capture_as_words[c->as];

		char what[JW_CAPTURE_WHAT_ROOM];

		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s:%s", i ? " " : "",
				      jw_capture_what_text(c, what), as);
	}
	return text;
}

TEST(an_operation_gives_state_and_captures)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c',"
				    "'event':{'type':'thread','value':'join'}}]}");
	const struct rules_rule *face = only(r);

	ok(face && face->operation == jw_operation_find(JW_SPAN_LIT("thread/join")));
	is_int(face ? face->state : 0, 8);
	is_str(captures(face), "this:identity exception:class");
	rules_free(r);
	r = kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c',"
		      "'event':{'type':'task','value':'submit'}}]}");
	is_str(captures(only(r)), "arg0:identity return:identity");
	rules_free(r);
	r = kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c',"
		      "'event':{'type':'thread','value':'sleep'}}]}");
	is_str(captures(only(r)), "exception:class");
	rules_free(r);
	r = kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c','capture':[{'what':"
		      "'exception','as':'class','type':48200000}],"
		      "'event':{'type':'thread','value':'sleep'}}]}");
	is_str(captures(only(r)), "exception:class");
	rules_free(r);
	r = kit_rules("{'jweave':1,'rules':[{'match':'a.B#c',"
		      "'event':{'type':'thread','value':'sleep'}}]}");
	is_str(captures(only(r)), "");
	rules_free(r);
}

TEST(the_rule_says_otherwise)
{
	struct rules *r =
		kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c','state':'none',"
			  "'capture':[],'event':{'value':'join','type':'thread'}}]}");
	const struct rules_rule *face = only(r);

	is_int(face ? face->state : 0, RULES_NO_STATE);
	is_str(captures(face), "");
	rules_free(r);
	r = kit_rules(
		"{'jweave':1,'rules':[{'match':'a.B#c','capture':[{'what':'exception'},"
		"{'what':'arg3'},{'what':'return','as':'length'},{'what':'arg1','as':'class'},"
		"{'what':'arg1','as':'value'},{'what':'this'}]}]}");
	face = only(r);
	ok(face && !face->operation && face->state == RULES_NO_STATE);
	is_str(captures(face), "this:? arg1:class arg1:value arg3:? return:length exception:?");
	rules_free(r);
}

TEST(details_of_a_capture)
{
	struct rules *r =
		kit_rules("{'jweave':1,'rules':[{'match':'a.B#c','capture':[{'what':'arg0',"
			  "'as':'string','type':48200000,'label':'l','maxValues':9}]}]}");
	const struct rules_rule *face = only(r);

	if (!ok(face && face->capture_count == 1))
		return;
	is_int(face->captures[0].type, 48200000);
	is_int(face->captures[0].max_values, 9);
	is_str(face->captures[0].label, "l");
	ok(!face->captures[0].hold);
	rules_free(r);
}

TEST(what_holds_has_a_type)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'rules':[{'match':'a.B#c','event':{'type':'task','value':'run'},"
		"'capture':[{'what':'arg0','hold':true},{'what':'arg1','hold':false},"
		"{'what':'this','as':'class','hold':'around','type':48200000}]}]}");
	const struct rules_rule *face = only(r);

	if (!ok(face && face->capture_count == 3))
		return;
	ok(face->captures[0].hold == JW_HOLD_AROUND && face->captures[0].type == 48200000);
	ok(face->captures[1].hold == JW_HOLD_CALL && face->captures[1].type != 0);
	ok(!face->captures[2].hold && face->captures[2].type == 0);
	rules_free(r);
}

TEST(the_size_of_an_operation)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'match':'a.B#c','event':"
				    "{'type':'io','value':'read','size':8}}]}");
	const struct rules_rule *face = only(r);

	is_int(face ? face->size : 0, 8);
	rules_free(r);
}

TEST(defaults_are_of_every_rule_of_the_file)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'defaults':{'event':{'type':'io','value':'read','size':2,'label':'d'},"
		"'capture':[{'what':'return'}]},'rules':[{'on':'call','match':'a.B#c'},"
		"{'match':'a.B#d','event':{'label':'own'}},{'match':'a.B#e','capture':[]}]}");

	if (!ok(r && rules_count(r) == 3))
		return;
	is_int(rules_rule(r, 0)->size, 2);
	is_int(rules_rule(r, 0)->state, 12);
	is_str(captures(rules_rule(r, 0)), "return:?");
	is_str(rules_rule(r, 0)->label, "d");
	ok(!rules_rule(r, 1)->operation && rules_rule(r, 1)->size == 0);
	is_str(rules_rule(r, 1)->label, "own");
	is_str(captures(rules_rule(r, 1)), "return:?");
	ok(rules_rule(r, 2)->operation != NULL);
	is_str(captures(rules_rule(r, 2)), "");
	rules_free(r);
}

static enum rules_why why(struct rules *r)
{
	struct kit_code code = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method method = kit_method("c", "()V", 1, &code);

	return rules_decide(r, &cls, &method).why;
}

TEST(a_disabled_rule_decides_nothing)
{
	struct rules *r = kit_rules("{'jweave':1,'rules':[{'match':'a.B#c'},"
				    "{'action':'skip','match':'a.B#c','enabled':false}]}");

	is_int(why(r), RULES_WHY_TRACED);
	ok(!rules_rule(r, 1)->enabled);
	is_int(rules_rule(r, 1)->on_unmatched, RULES_UNMATCHED_IGNORE);
	is_int(rules_lint(r, NULL, NULL), 0);
	rules_free(r);
	r = kit_rules("{'jweave':1,'defaults':{'enabled':false},'rules':["
		      "{'on':'call','match':'a.B#c'},{'match':'a.B#c','enabled':true}]}");
	struct rules_class cls = kit_class("a/B");

	is_int(why(r), RULES_WHY_TRACED);
	ok(!rules_has_calls(r, &cls));
	rules_free(r);
}

TEST(captures_without_a_type_have_one_by_their_label)
{
	struct rules *r =
		kit_rules("{'jweave':1,'rules':["
			  "{'match':'a.B#c','capture':[{'what':'arg0','label':'n'},{'what':'arg1','"
			  "as':'length'}]},"
			  "{'match':'a.B#d','capture':[{'what':'return','label':'n'},{'what':'this'"
			  ",'type':7}]},"
			  "{'on':'call','match':'a.B#e','event':{'type':'io','value':'read'},"
			  "'capture':[{'what':'arg0','label':'n'},{'what':'return'}]}]}");
	const struct rules_rule *c = rules_rule(r, 0), *d = rules_rule(r, 1), *e = rules_rule(r, 2);

	is_str(c->captures[0].label, "n");
	ok(c->captures[0].type >= 48110000 && c->captures[0].type <= 48189999);
	is_str(c->captures[1].label, "captured arg1, length");
	ok(c->captures[1].type >= 48110000 && c->captures[1].type <= 48189999);
	ok(c->captures[1].type != c->captures[0].type);
	is_int(d->captures[0].type, 7);
	is_int(d->captures[1].type, c->captures[0].type);
	is_int(e->captures[0].type, c->captures[0].type);
	is_int(e->captures[1].type, 0); /* the operation's */
	rules_free(r);
}

/* The id of the rule whose operation a.B#c() has, and what is captured by both. */
static const char *operation_of(const char *json, bool call)
{
	static char text[600];
	struct rules *r = kit_rules(json);
	struct kit_code code = KIT_BODY;
	struct rules_class cls = kit_class("a/B");
	struct rules_method method = kit_method("c", "()V", 1, &code);
	struct rules_callee callee = { .owner = JW_SPAN_LIT("a/B"),
				       .name = JW_SPAN_LIT("c"),
				       .descriptor = JW_SPAN_LIT("()V") };
	struct rules_verdict v = call ? rules_decide_call(r, &cls, &method, &callee)
				      : rules_decide(r, &cls, &method);
	size_t does = rules_operation_rule(r, &cls, &method, call ? &callee : NULL, v.rule);
	struct rules_rule face = *rules_rule(r, v.rule);
	struct rules_about about;

	rules_about(r, v.rule, does, &about);
	face.captures = about.captures;
	face.capture_count = about.capture_count;
	snprintf(text, sizeof text, "%s %d %s", rules_rule(r, does)->id, about.state,
		 captures(&face));
	rules_free(r);
	return text;
}

#define OP(id, more) \
	"{'id':'" id "','match':'a.B#c'" more ",'event':{'type':'lock','value':'lock'}}"

TEST(an_operation_stays_under_a_rule_that_says_none)
{
	is_str(operation_of("{'jweave':1,'rules':[" OP("lock", "") ",{'id':'all','match':'a.**'}]}",
			    false),
	       "lock -1 this:identity");
	is_str(operation_of(
		       "{'jweave':1,'rules':[" OP(
			       "lock",
			       "") ",{'id':'all','match':'a.**',"
				   "'capture':[{'what':'arg0'},{'what':'this','as':'identity'}]}]}",
		       false),
	       "lock -1 this:identity arg0:?");
	is_str(operation_of("{'jweave':1,'rules':[" OP("lock", "") ",{'id':'all','match':'a.**',"
								   "'event':{'type':'method'}}]}",
			    false),
	       "all -1 ");
	is_str(operation_of("{'jweave':1,'rules':[" OP("x", "") "," OP(
				    "y", "") ",{'id':'all',"
					     "'match':'a.**','event':{'label':'l'}}]}",
			    false),
	       "y -1 this:identity");
	is_str(operation_of("{'jweave':1,'rules':[" OP("x", ",'action':'skip'") "," OP(
				    "y", ",'enabled':false") ",{'id':'all','match':'a.**'}]}",
			    false),
	       "all -1 ");
	/* what comes after the rule that decides decides nothing */
	is_str(operation_of("{'jweave':1,'rules':[{'id':'all','match':'a.**'}," OP(
				    "z", ",'on':'call'") "]}",
			    false),
	       "all -1 ");
}

TEST(so_does_the_operation_of_a_call)
{
	is_str(operation_of(
		       "{'jweave':1,'rules':[" OP(
			       "lock", ",'on':'call'") ",{'id':'all','on':'call','match':'a.**'}]}",
		       true),
	       "lock 9 this:identity exception:class");
	is_str(operation_of("{'jweave':1,'rules':[" OP(
				    "lock", ",'on':'call'") ",{'id':'all','on':'call','state':'"
							    "none','match':'a.**'}]}",
			    true),
	       "lock -1 this:identity exception:class");
	is_str(operation_of(
		       "{'jweave':1,'rules':[" OP(
			       "lock", ",'on':'call','within':'z.**'") ",{'id':'all','on':'call','"
								       "match':'a.**'}]}",
		       true),
	       "all -1 ");
}

TEST(a_link_captures_its_key)
{
	struct rules *r = kit_rules(
		"{'jweave':1,'rules':[{'match':'a.B#c','link':{'name':'job','end':'receive','key':"
		"['return','arg2','arg0']},'capture':[{'what':'arg0','label':'id'},"
		"{'what':'arg2','as':'string'}]}]}");
	const struct rules_rule *face = only(r);

	is_str(captures(face), "arg0:? arg2:string return:?");
	if (!ok(face && face->link))
		return;
	is_str(face->link->name, "job");
	is_int(face->link->end, JW_LINK_RECEIVE);
	is_int(face->link->n, 3);
	is_int(face->link->parts[0].what, JW_CAPTURE_RETURN);
	is_int(face->link->parts[1].arg, 2);
	ok(face->captures[0].key && face->captures[0].type); /* the user's, now never an identity */
	ok(!face->captures[1].key && face->captures[2].key && !face->captures[2].type);
	rules_free(r);
	r = kit_rules("{'jweave':1,'rules':[{'on':'call','match':'a.B#c','link':{'name':'job',"
		      "'end':'both','key':'arg1'},'event':{'type':'io','value':'write'}}]}");
	is_str(captures(only(r)), "this:identity arg1:?");
	rules_free(r);
}
