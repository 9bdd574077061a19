// requests.js: requests and their answers, as connections saw them: those of `jweave report --requests`
// (trace/requests/requests.h); the page has the first 100 of the slowest. And statements of SQL: those of `jweave report --sql`
// (trace/statements/statements.h).

/** "read by a, answered by b" @param {any} r */
function threadsOf(r) {
	const same = r.asker === r.answerer, asker = withoutMiddle(r.askerName, 40), answerer = withoutMiddle(r.answererName, 40);
	if (r.asks)
		return same ? `asked by ${asker}` : `asked by ${asker}, answer read by ${answerer}`;
	return same ? `read and answered by ${asker}` : `read by ${asker}, answered by ${answerer}`;
}

/** In the timeline: the request is the range, as no call need be as long as it is. @param {any} r */
async function goToRequest(r) {
	const begin = Math.max(model.begin, r.beginNs), end = Math.min(model.end, r.beginNs + r.ns);
	await goToSpan({ row: placeOfThread(r.task, r.asker), begin: r.beginNs, end: r.beginNs + r.ns });
	if (end > begin) {
		shown.range = [begin, end];
		changed('range');
	}
}

function requestTables() {
	const { requests, slowest } = model.requests;
	/** @type {Column<any>[]} */
	const sums = [
		{ name: 'Requests', text: true, value: r => r.where, cell: r => el('span', { class: 'method', title: r.where }, r.where,
			el('small', {}, [r.process, plural(r.connections, 'connection')].filter(t => t).join(' · '))) },
		counts('Count', r => r.count), { name: 'Mean', value: r => r.ns / r.count, cell: r => timeCell(Math.round(r.ns / r.count)) },
		times('p50', r => r.p50Ns), times('p90', r => r.p90Ns), times('p99', r => r.p99Ns), times('Longest', r => r.longestNs),
	];
	/** @type {Column<any>[]} */
	const slow = [times('Took', r => r.ns),
		{ name: 'Connection', text: true, value: r => r.connection, cell: r => el('span', { class: 'method', title: threadsOf(r) },
			model.index ? link(r.connection, () => goToRequest(r), { title: 'Show in the timeline, as the range' }) : r.connection,
			el('small', {}, [r.process, threadsOf(r)].filter(t => t).join(' · '))) },
		{ name: 'Began', value: r => r.beginNs, cell: r => moment(r.beginNs, (model.end - model.begin) / 10000) },
		times('Until the answer', r => r.answerNs, 'began to be written, or had been read in part')];
	const { before, after } = model.requests.cut ?? { before: 0, after: 0 };
	return el('div', {}, el('p', { class: 'hint' }, 'From the first bytes of a request to the last ones of its answer, as connections saw them: at an address of its own a process answers, to another one it asks.',
		before + after ? ` ${before} of them began before the range, ${after} went on after it: they count whole.` : ''),
		table('requests', 'Requests', sums, requests, { sort: 5, first: 10 }),
		el('h3', {}, 'The slowest'), table('slow-requests', 'The slowest requests', slow, slowest, { sort: 0, first: 10 }));
}

function statementTable() {
	const { statements } = model.sql;
	/** @type {Column<any>[]} */
	const columns = [
		{ name: 'Statement', text: true, value: s => s.sql ?? '', cell: s => s.sql === null ? el('small', {}, 'their text is unknown') : el('code', { title: s.sql }, s.sql.replace(/\s+/g, ' ')) },
		counts('Executions', s => s.executions), times('Total', s => s.ns), { name: 'Mean', value: s => s.executions ? s.ns / s.executions : 0, cell: s => timeCell(s.executions ? Math.round(s.ns / s.executions) : 0) },
		times('Longest', s => s.longestNs), counts('Prepared', s => s.prepared, 'so often'),
	];
	return table('statements', 'Statements of SQL', columns, statements, { sort: 2, first: 10 });
}
