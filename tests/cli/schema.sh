#!/bin/sh
# The JSON Schema, judged by a validator that is not ours (python3-jsonschema): see schema.py.
# Slow: 8 s, Python holds every rules file against the schema.
. tests/cli/kit
for python in python3 /usr/bin/python3; do
	# a warning of what the module finds out of date is no failure
	if "$python" -W ignore -c 'import jsonschema' 2>/dev/null; then
		"$python" -W ignore tests/cli/schema.py "$jweave" "$dir"
		exit
	fi
done
skip_all 'no python3-jsonschema: nobody but ourselves judges the schema'
