"""share/jweave-rules-1.schema.json against the parser, with a validator that is not ours.

    schema.py JWEAVE FOLDER      prints TAP; FOLDER is scratch

1. It is a valid draft-07 schema, and accepts all of testdata/rules/good and the presets.
2. Of testdata/rules/bad it accepts only the kinds that tests/rules/t_schema.c lists as invisible.
3. Property, over generated files and thousands of changes to them: what the parser accepts, the schema
   accepts; and what the parser refuses for its shape (key, type, word, range), the schema refuses.
"""

import glob
import json
import os
import random
import re
import subprocess
import sys

import jsonschema

JWEAVE, FOLDER = sys.argv[1:3]
SCHEMA = json.load(open("share/jweave-rules-1.schema.json", encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
# Messages of the parser about a shape: what the schema must see, too.
SHAPE = re.compile(
    r"unknown key|expected (?:a |an |true|a whole)|is none of|the key \"\w+\" is missing|an empty (?:list|object|string)"
    r"|a rule needs|either \"match\" or|selects nothing|unknown modifier|too many captures|expected a (?:size|duration)")
# ... but for these, which depend on the value of another key, or on keys that mean nothing.
NOT_SHAPE = re.compile(r"select(?:/.*)?: selects nothing|which operation of type|has no operations")
FRACTION = re.compile(r"\d(?:\.0\b|e\+)")  # whole numbers to a schema, none to the parser; our schema says so

tests = failed = 0


def ok(held, name, *notes):
    global tests, failed
    tests += 1
    failed += not held
    print(f"{'ok' if held else 'not ok'} {tests} - {name}")
    for note in [] if held else notes:
        print("# " + str(note)[:400].replace("\n", "\n# "))


def uncomment(text):
    """JSON with comments to JSON; strings as they are."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or " ", text, flags=re.S)


def read(path):
    """The value in the file PATH; ValueError when it is none."""
    with open(path, "rb") as f:
        return json.loads(uncomment(f.read().decode("utf-8-sig")), parse_constant=lambda _: 1 / 0)


def accepts(value):
    return VALIDATOR.is_valid(value)


def why(value):
    return jsonschema.exceptions.best_match(VALIDATOR.iter_errors(value)).message


# What a reader of JSON lets pass that ours does not, before any schema sees it; our schema says so.
READERS = ("repeated-key", "lone-surrogate", "wrong-surrogate-pair", "zero-character")


def invisible():
    """The beginnings of names that t_schema.c lists (which reads files with our own reader)."""
    text = open("tests/rules/t_schema.c", encoding="utf-8").read()
    block = re.search(r"invisible\[\] = \{(.*?)\n\};", text, re.S).group(1)
    return READERS + tuple(re.findall(r'"([^"]+)"', re.sub(r"/\*.*?\*/", "", block, flags=re.S)))


def check_kept():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    good = glob.glob("testdata/rules/good/*.json") + glob.glob("share/presets/*.json")
    refused = [f"{p}: {why(read(p))}" for p in good if not accepts(read(p))]
    ok(len(good) > 12 and not refused, f"accepts {len(good)} files that are right", *refused)
    hidden, seen, bad = [], 0, sorted(glob.glob("testdata/rules/bad/*.json"))
    for path in bad:
        try:
            accepted = accepts(read(path))
        except (ValueError, ZeroDivisionError, RecursionError):
            accepted = False  # no JSON
        seen += not accepted
        if accepted and not os.path.basename(path).startswith(invisible()):
            hidden.append(path)
    ok(not hidden, f"refuses {seen} of {len(bad)} that are wrong, all but the kinds that it lists", *hidden)
    ok(seen > 100, "most of them")


# ---- files that are right, by chance ----

class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def some(self, make, least=0, most=3):
        return [make() for _ in range(self.r.randint(least, most))]

    def one_or_more(self, make):
        return make() if self.r.random() < 0.5 else self.some(make, 1)

    def word(self):
        return self.r.choice(["a", "acme", "Foo", "x1", "_b", "Ünï", "名前", "Outer$Inner", "run", "get"])

    def glob(self):
        parts = [self.r.choice([self.word(), self.word(), "*", "**", "F?o", "*Impl"]) for _ in range(self.r.randint(1, 4))]
        return ".".join(parts)

    def item(self):
        """What is in a list of class or method patterns."""
        return self.r.choice(["", "", "!"]) + self.r.choice([self.word(), "*", "get*", "re:[A-Z][a-z]*", "re:(a|b)+c?"])

    def class_item(self):
        return self.r.choice(["", "", "!"]) + self.r.choice([self.glob(), self.glob(), "re:a\\.[A-Z].*"])

    def type(self):
        return self.r.choice(["int", "long[]", "java.lang.String", "java.lang.*", "*", "boolean[][]", "java.lang.Object..."])

    def params(self):
        return self.some(self.type) + self.r.choice([[], [".."]])

    def match(self):
        line = self.r.choice(["", "", "public ", "static final ", "!private "]) + self.r.choice(["", "", "@x.Y "]) + self.glob()
        if self.r.random() < 0.5:
            line += "#" + self.r.choice([self.word(), "get*", "<init>", "*"])
            line += self.r.choice(["", "(" + ", ".join(self.params()) + ")"])
            line += self.r.choice(["", ":void", ":int"])
        return line

    def code(self):
        keys = {"minBytes": self.r.choice([0, 1, 25]), "maxBytes": self.r.choice([25, 4294967295]), "minLines": 3,
                "hasLoop": self.r.random() < 0.5, "hasCall": True}
        return self.part(keys)

    def part(self, keys, least=1):
        """Some of KEYS, at times with a free key."""
        chosen = self.r.sample(sorted(keys), self.r.randint(least, len(keys)))
        out = {k: keys[k] for k in chosen}
        if self.r.random() < 0.15:
            out[self.r.choice(["x-", "x-why", "$comment"])] = self.r.choice([None, 1.5, "text", [[]], {"a": 1}])
        return out

    def modifier(self):
        return self.r.choice(["", "!"]) + self.r.choice(
            "public protected private package static final abstract synchronized native varargs strictfp".split())

    def class_modifier(self):
        return self.r.choice(["", "!"]) + self.r.choice("public package final abstract interface annotation enum record".split())

    def kind(self):
        return self.r.choice("method constructor clinit lambda accessor bridge synthetic".split())

    def select(self, depth=0, call=False):
        keys = {"class": self.one_or_more(self.class_item), "package": self.one_or_more(self.glob),
                "subtypeOf": self.one_or_more(self.class_item), "method": self.one_or_more(self.item),
                "params": self.params(), "returns": self.one_or_more(self.type), "descriptor": "(ILjava/lang/String;)V"}
        if not call:
            keys.update({"classAnnotation": self.one_or_more(self.class_item), "methodAnnotation": self.one_or_more(self.class_item),
                         "classModifiers": self.one_or_more(self.class_modifier), "modifiers": self.one_or_more(self.modifier),
                         "kind": self.one_or_more(self.kind), "source": self.one_or_more(lambda: "*.java"),
                         "entry": self.one_or_more(lambda: "WEB-INF/**"), "code": self.code(),
                         "group": self.one_or_more(lambda: self.r.choice(["", "!"]) + "g")})
            if depth < 3:
                keys.update({"anyOf": self.some(lambda: self.target(depth + 1), 1), "not": self.target(depth + 1)})
        return self.part(keys)

    def target(self, depth=0):
        return self.match() if self.r.random() < 0.5 else self.select(depth)

    def capture(self):
        return self.r.choice([{"what": "this"}, {"what": "arg0", "as": "value", "label": "n"}, {"what": "arg254"},
                              {"what": "return", "as": "string", "maxValues": 1}, {"what": "exception", "as": "class"},
                              {"what": "arg1", "as": "length", "type": 900000}])

    def event(self):
        return self.r.choice([{"label": "{class}.{method}"}, {"type": "method"}, {"type": "thread", "value": "start"},
                              {"type": "io", "value": "read", "size": 1, "label": "read"}])

    def rule(self, n):
        call = self.r.random() < 0.3
        rule = self.part({"description": "why", "action": self.r.choice(["trace", "skip"]),
                          "onUnmatched": self.r.choice(["ignore", "warn", "error"]), "event": self.event(), "enabled": True,
                          "capture": self.some(self.capture, 0, 16)}, 0)
        if self.r.random() < 0.5:
            rule["id"] = self.r.choice(["a", "A.b-c_9", "x" * 90]) + str(n)
        if call:
            rule.update({"on": "call", "select": self.select(call=True)})
            if self.r.random() < 0.5:
                rule["within"] = self.target()
            if self.r.random() < 0.3:
                rule["state"] = self.r.choice([0, 255, "io", "blocked"])
        elif self.r.random() < 0.5:
            rule["match"] = self.one_or_more(self.match)
        else:
            rule["select"] = self.select()
        return rule

    def file(self):
        keys = {"name": self.word(), "description": "", "include": self.r.choice(["preset:io", ["preset:trivial", "preset:jdk-threads"], []]),
                "exclude": self.some(self.target), "defaults": self.part({"event": {"label": "{method}"}, "enabled": True}, 0),
                "rules": [self.rule(i) for i in range(self.r.randint(0, 4))]}
        file = self.part(keys)
        return {"jweave": 1, "groups": {"g": self.match(), "x-free": 1}, **file}


# ---- changes ----

VALUES = [None, True, False, 0, 1, 2, -1, 255, 256, 1.0, 1.5, 4294967295, 4294967296, 999999999, 60000019, 1e30, "", "x", "!x", "!",
          "re:x", "1", "method", "io", "start", "10us", "64MiB", [], [""], ["x"], [1], [[]], {}, {"x": 1}, {"match": "a.**"}]
KEYS = ["x-free", "$id", "match", "select", "klass", "class", "id", "on", "jweave", "code", "minBytes", "event", "type", "value", "what",
        "as", "size", "label", "sample", "minDuration", "maxDepth", "runtime", "link", "state", "within", "group", "", "Class", "every"]


def places(value, found):
    """Every object and list in VALUE."""
    if isinstance(value, (dict, list)):
        found.append(value)
        for inner in value.values() if isinstance(value, dict) else value:
            places(inner, found)
    return found


def change(r, value):
    """VALUE (a copy), changed at one place."""
    value = json.loads(json.dumps(value))
    where = r.choice(places(value, []))
    if isinstance(where, dict):
        key = r.choice(sorted(where)) if where and r.random() < 0.7 else r.choice(KEYS)
        what = r.random()
        if what < 0.15:
            where.pop(key, None)
        elif what < 0.3 and key in where:
            where[r.choice(KEYS + [key + "s", key[:-1], key.upper()])] = where.pop(key)
        else:
            where[key] = r.choice(VALUES)
    elif where and r.random() < 0.6:
        where[r.randrange(len(where))] = r.choice(VALUES)
    else:
        where.append(r.choice(VALUES))
    return value


def told(files):
    """What the parser says of each of FILES: None, or the message."""
    said = dict.fromkeys(files)
    for at in range(0, len(files), 200):
        run = subprocess.run([JWEAVE, "check", "-q"] + files[at:at + 200], capture_output=True, timeout=300, check=False)
        for line in run.stderr.decode("utf-8", "replace").splitlines():
            m = re.match(r"jweave: error: (.*?\.json)(?::|$)(.*)", line)
            if not m or m.group(1) not in said:
                raise RuntimeError("not a message about one of the files: " + line)
            said[m.group(1)] = m.group(2)
    return said


def check_made(seed, count, changes):
    maker, values = Maker(seed), {}
    for i in range(count):
        value = maker.file()
        for j in range(changes + 1):
            values[f"{FOLDER}/m-{i}-{j}.json"] = change(maker.r, value) if j else value
    for path, value in values.items():
        with open(path, "w", encoding="utf-8") as f:
            json.dump(value, f, ensure_ascii=maker.r.random() < 0.5)
    said = told(list(values))
    wrong = [f"{p}: {said[p]}: {json.dumps(values[p])}" for p in values if p.endswith("-0.json") and said[p]]
    ok(not wrong, f"the parser accepts {count} files made at random (seed {seed})", *wrong[:3])
    wrong = [f"{why(values[p])}: {json.dumps(values[p])}" for p in values if not said[p] and not accepts(values[p])]
    accepted = sum(not s for s in said.values())
    ok(not wrong, f"the schema accepts the {accepted} of {len(values)} that the parser accepts", *wrong[:3])
    shapes = [p for p in values if said[p] and SHAPE.search(said[p]) and not NOT_SHAPE.search(said[p])]
    wrong = [f"{said[p]}: {json.dumps(values[p])}" for p in shapes if accepts(values[p]) and not FRACTION.search(json.dumps(values[p]))]
    ok(not wrong, f"and refuses the {len(shapes)} that are wrong in shape", *wrong[:5])
    ok(accepted > 2 * count and len(shapes) > count, "there were many of both")


check_kept()
check_made(int(os.environ.get("JW_SEED", "7")), int(os.environ.get("JW_COUNT", "120")), 12)
print(f"1..{tests}")
sys.exit(failed > 0)
