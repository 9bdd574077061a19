/*
 * everything.h: rules that choose all there is to weave.
 */
#ifndef JW_TESTS_WEAVER_EVERYTHING_H
#define JW_TESTS_WEAVER_EVERYTHING_H

/* Parts of rules: every method, every call, and all that they can capture. */
#define EVERY_METHOD                                                                            \
	"{\"select\": {\"class\": \"**\", \"kind\": [\"method\", \"constructor\", \"clinit\", " \
	"\"lambda\", \"accessor\", \"bridge\", \"synthetic\"]}}"
#define EVERY_EXCEPTION                                                                   \
	"{\"on\": \"exception\", \"select\": {\"class\": \"**\", \"kind\": [\"method\", " \
	"\"constructor\", \"clinit\", \"lambda\", \"accessor\", \"bridge\", \"synthetic\"]}}"
#define EVERY_CALL "{\"on\": \"call\", \"match\": [\"**\", \"**#<init>\"]}"
#define MONITOR_END(end)                                                                          \
	"{\"on\": \"monitor\", \"match\": \"**\", \"event\": {\"type\": \"monitor\", \"value\": " \
	"\"" end "\"}}"
#define EVERY_MONITOR    MONITOR_END("enter") ", " MONITOR_END("exit")
#define CAPTURE_OF(what) "{\"what\": \"" what "\"}, "
#define EVERY_CAPTURE                                                                            \
	"\"defaults\": {\"capture\": [" CAPTURE_OF("this") CAPTURE_OF("arg0") CAPTURE_OF("arg1") \
		CAPTURE_OF("arg2") CAPTURE_OF("arg3") CAPTURE_OF("arg4") CAPTURE_OF(             \
			"arg5") CAPTURE_OF("arg6") CAPTURE_OF("arg7") CAPTURE_OF("arg9")         \
			CAPTURE_OF("exception") CAPTURE_OF(                                      \
				"return") "{\"what\": \"arg0\", "                                \
					  "\"as\": \"length\"}, {\"what\": \"return\", \"as\": " \
					  "\"string\"}, {\"what\": \"exception\", \"as\": "      \
					  "\"class\"}, "                                         \
					  "{\"what\": \"this\", \"as\": \"class\"}]}, "
/* Methods of which not all calls are recorded, for the reason HOW; calls and what they fill. */
#define SPARED(how)                                                                               \
	"{\"jweave\": 1, \"rules\": [{\"select\": {\"class\": \"**\", \"kind\": [\"method\", "    \
	"\"constructor\", \"lambda\"]}, " how ", \"capture\": [{\"what\": \"task\"}, {\"what\": " \
	"\"return\"}]}, {\"on\": \"call\", \"match\": [\"**\", \"**#<init>\"], \"capture\": ["    \
	"{\"what\": \"filled0\"}, {\"what\": \"filled1\"}, {\"what\": \"arg1\", \"as\": "         \
	"\"task\"}]}]}"

/* Whole files: OTHER is "" or EVERY_CAPTURE. */
#define METHODS_ALONE(other) "{\"jweave\": 1, " other "\"rules\": [" EVERY_METHOD "]}"
#define CALLS_ALONE(other)   "{\"jweave\": 1, " other "\"rules\": [" EVERY_CALL "]}"
#define METHODS_AND_CALLS(other) \
	"{\"jweave\": 1, " other "\"rules\": [" EVERY_METHOD ", " EVERY_CALL "]}"
#define METHODS_AND_EXCEPTIONS(other) \
	"{\"jweave\": 1, " other "\"rules\": [" EVERY_METHOD ", " EVERY_EXCEPTION "]}"
#define EXCEPTIONS_ALONE(other) "{\"jweave\": 1, " other "\"rules\": [" EVERY_EXCEPTION "]}"
#define EVERY_NEW               "{\"on\": \"new\", \"match\": \"**\"}"
#define METHODS_AND_NEW(other) \
	"{\"jweave\": 1, " other "\"rules\": [" EVERY_METHOD ", " EVERY_NEW "]}"
#define NEW_ALONE(other) "{\"jweave\": 1, " other "\"rules\": [" EVERY_NEW "]}"
#define MONITORS_ALONE   "{\"jweave\": 1, \"rules\": [" EVERY_MONITOR "]}"
#define EVERY_RULE \
	EVERY_METHOD ", " EVERY_CALL ", " EVERY_MONITOR ", " EVERY_EXCEPTION ", " EVERY_NEW
/* What presets choose, and what none of it is to be. */
#define EVERY_PRESET                                                                             \
	"{\"jweave\": 1, \"include\": [\"preset:jdk-threads\", \"preset:monitors\", "            \
	"\"preset:io\", "                                                                        \
	"\"preset:http\", \"preset:jdbc\", \"preset:rmi\", \"preset:exceptions\"], \"rules\": [" \
	"{\"on\": \"call\", \"match\": \"**#close(..)\", \"action\": \"skip\"}, "                \
	"{\"match\": \"**#finalize()\", \"action\": \"skip\"}, {\"on\": \"new\", \"match\": "    \
	"\"java.lang.**\"}, {\"on\": \"new\", \"match\": \"java.lang.Error\", \"action\": "      \
	"\"skip\"}]}"
#define EVERYTHING(other) "{\"jweave\": 1, " other "\"rules\": [" EVERY_RULE "]}"

#endif
