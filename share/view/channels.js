// channels.js: connections and files, with what all threads read from them, wrote to them, and waited for there: those of `jweave report`.

/** The longest single wait for each channel, by its name. @returns {Map<string, SingleWait>} */
function longestByChannel() {
	/** @type {Map<string, SingleWait>} */
	const longest = new Map();
	for (const one of singles.all) {
		const { channel } = one.raw, known = longest.get(channel);
		if (channel && (!known || one.raw.ns > known.raw.ns))
			longest.set(channel, one);
	}
	return longest;
}

/** What is done there: reads and writes with their bytes, and what else waits, for what is to come, or for a disk. */
const MOVES = /** @type {const} */ ([['reads', 'Reads', 'Bytes read', 'Reading'], ['writes', 'Writes', 'Bytes written', 'Writing'], ['others', 'Others', '', 'Waiting']]);

/** @param {string} id @param {string} title @param {any[]} all of the report */
function channelTable(id, title, all) {
	const list = all.filter(c => c.reads.count || c.writes.count || c.others.ns), longest = longestByChannel();
	const moves = MOVES.filter(([key]) => list.some(c => c[key].count)), alone = moves.length === 1 && moves[0][0] === 'others';
	/** @type {Column<any>[]} */
	const columns = [{ name: id === 'files' ? 'File' : 'Connection', text: true, value: c => c.name, cell: c => {
		const one = longest.get(c.name);
		return one && model.index ? link(c.name, () => goToWait(one), { title: `${c.name}\nShow its longest wait in the timeline` }) : el('span', { title: c.name }, c.name);
	} }, times('Time', c => c.reads.ns + c.writes.ns + c.others.ns, 'of all threads, in all of this')];
	for (const [key, name, moved, doing] of moves) {
		columns.push(counts(alone ? 'Waits' : name, c => c[key].count));
		if (moved)
			columns.push({ name: moved, value: c => c[key].bytes, cell: c => el('span', { 'data-n': c[key].bytes }, c[key].bytes ? bytes(c[key].bytes) : '·') });
		columns.push(times(doing, c => c[key].ns));
	}
	return list.length ? [el('h2', {}, title), table(id, title, columns, list, { sort: 1, first: 20 })] : [];
}
