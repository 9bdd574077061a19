// node view_use.mjs PLAYWRIGHT CHROMIUM FOLDER REPORT: what the pages in FOLDER (view_use.sh) do when one uses them: scrolling, links, the address, a
// filter, keys, touch, printing. REPORT: the JSON of `jweave report` of use.html. TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show, until } from './browser.mjs';

const [playwright, executablePath, folder, report_] = process.argv.slice(2);
const report = JSON.parse(readFileSync(report_, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];
const open = (name, hash = '', options = {}) => show(browser, heard, pathToFileURL(`${folder}/${name}.html`).href + hash, options);
const settled = page => page.waitForTimeout(450);
const spaces = text => text.replace(/\s+/g, ' ').trim();

let page;
const number = name => page.evaluate(`model.methods.findIndex(m => m.name === '${name}')`);
/** Lines of the list below a heading of the details. */
const below = async (side, title) => page.evaluate(`(h => h ? [...h.nextSibling.querySelectorAll('tr')].map(row => [...row.cells].map(cell => cell.textContent)) : [])([...document.querySelectorAll('${side} h3')].find(h => h.textContent.startsWith('${title}')))`);

// ---- scrolling ----
page = await open('use');
for (const tab of await page.evaluate('TABS.map(tab => tab.id)')) {
	await page.evaluate(`openTab('${tab}')`);
	await settled(page);
	await page.mouse.move(600, 500);
	await page.mouse.wheel(0, 9000);
	await settled(page);
	is(`${tab}: nothing scrolls but what is below the head`, await page.evaluate('[scrollY, document.documentElement.scrollHeight <= innerHeight]'), [0, true]);
}
await page.close();

// ---- a recursion, deeper than a timeline is ----
page = await open('use', '#tab=methods');
const recurses = report.methods.find(m => m.name === 'Use.recurses');
await page.evaluate(`openMethod(${await number('Use.recurses')})`);
await settled(page);
const [called, own] = [await page.evaluate(`time(${recurses.inclusiveNs})`), await page.evaluate(`count(${recurses.calls - 1})`)];
is('who called it: its time is counted once', await below('#method-details', 'Called by'), [['Use.main', called, '1'], ['Use.recurses', '0', own]]);
is('whom it called: likewise', (await below('#method-details', 'It calls')).map(r => [r[0], r[2]]), [['Use.recurses', own], ['Use.spins', '1']]);
is('... which is less than all of it', await page.evaluate(`treeOf(model.begin, model.end, null).then(t => t.methods[${await number('Use.recurses')} + 1].total)`), recurses.inclusiveNs);
await page.evaluate(`openMethod(${await number('Use.spins')})`);
is('two threads at once are longer in it than the run', await page.evaluate('[...document.querySelectorAll("#method-details dt")].find(dt => dt.textContent === "Total").nextSibling.textContent.split(" · ")[1]'), `${(report.methods.find(m => m.name === 'Use.spins').inclusiveNs / report.durationNs).toFixed(2)} × the run`);
is('... once it is a share', await page.evaluate('[shareOfRun(1, 2), shareOfRun(20001, 20000), shareOfRun(0, 0)]'), ['50.0 % of the run', '100 % of the run', ' of the run']);
await page.evaluate('shown.range = [model.begin, model.end], changed("range")');
await page.waitForSelector('#range-methods');
const figures = name => page.evaluate(`[...document.querySelectorAll('#range-methods tbody tr')].filter(row => row.querySelector('.link').textContent === '${name}').flatMap(row => [row.cells[1], row.cells[2]].map(cell => Number(cell.firstChild.dataset.n ?? cell.firstChild.dataset.ns)))`);
is('a range of all the time has all its calls', [await figures('Use.recurses'), await page.textContent('.pane .notice')], [[recurses.calls, recurses.inclusiveNs], 'Sums of the range, exact.']);
await page.evaluate('shown.range = [model.begin + 1, model.end - 1], changed("range")');
await until(page, '/nested deeper than 256 levels are not in this page one by one/.test(document.querySelector(".pane .notice")?.textContent || "")');
is('a range that lacks calls says so', (await figures('Use.recurses'))[0] < recurses.calls, true);
await page.evaluate('shown.range = [model.end * 0.9, model.end], changed("range")');
await until(page, 'document.querySelector(".pane .notice")?.textContent === "Sums of the range, exact."');
await page.evaluate('shown.range = null, changed("range"), shown.method = null');
await page.evaluate(`(call => goTo(call.row, call.level + 1, call.begin, call.begin + call.ns))(model.longest[${await number('Use.spins')}].find(call => call.level > 256))`);
await settled(page);
is('a link to a call that is too deep leads to what is around it, and says so', await page.evaluate('[methodName(selected().what), selected().level, /nested deeper than 256 levels/.test(document.querySelector(".toolbar .state").textContent)]'), ['Use.recurses', 256, true]);
await page.close();

// ---- threads that a filter hides ----
page = await open('use', '#tab=timeline');
await page.fill('.toolbar input', 'main');
await settled(page);
const rows = () => page.evaluate('timelineView.now.lines.map(line => threadName(line.row.place))');
is('a filter: some threads', await rows(), ['main']);
await page.evaluate('openTab("overview")');
await page.click('#slowest tr:has-text("pool-1-thread-2") .link');
await settled(page);
is('a link to a thread that it hides shows that, too', [await rows(), await page.evaluate('timelineView.now.selectionBox() !== null')], [['main', 'pool-1-thread-2'], true]);
is('... and says why it would not be there', spaces(await page.textContent('#details .hint')), 'Among threads that have “main” in their names this one would not be shown. Show all threads');
await page.keyboard.press('Escape');
await settled(page);
is('... no longer than it is selected', await rows(), ['main']);
await page.evaluate(`(i => select(i, -1, 0))(model.report.threads.findIndex(t => t.name === 'spin-1'))`);
await page.click('#details .hint .link');
await settled(page);
is('... and the filter is a click away', [(await rows()).length, await page.inputValue('.toolbar input'), await page.locator('#details .hint').count()], [report.threads.length, '', 0]);
await page.close();

// ---- the keys of the timeline, however one comes there ----
page = await open('use', '#tab=timeline');
const first = () => page.evaluate('(s => s && methodName(s.what))(selected())');
await page.keyboard.press('Enter');
await settled(page);
is('a page that is opened there: Enter selects the first call', await first(), 'Use.main');
await page.close();
page = await open('use');
await page.click('#tab-timeline');
await settled(page);
await page.keyboard.press('ArrowDown');
await settled(page);
is('its tab is pressed: the arrows are its own', [await page.evaluate('shown.tab'), await first()], ['timeline', 'Use.main']);
await page.keyboard.press('Escape');
await page.focus('#tab-overview');
await page.evaluate('openTab("overview")');
await page.keyboard.press('ArrowRight');
is('arrows on the tabs lead to tabs', [await page.evaluate('shown.tab'), await page.evaluate('document.activeElement.id')], ['timeline', 'tab-timeline']);
await page.keyboard.press('ArrowDown');
await settled(page);
is('... and down from there into it', [await first(), await page.evaluate('document.activeElement.className')], ['Use.main', 'stage']);
await page.evaluate('shown.selection = null, changed("selection"), openTab("overview"), byId("tab-overview").focus()');
await page.keyboard.press('ArrowRight');
await page.keyboard.press('Enter');
await settled(page);
is('... so does Enter', await page.evaluate('document.activeElement.className'), 'stage');
await page.close();
// ---- the JVM in a .prv ----
page = await open('prv', '#tab=timeline');
is('the JVM is no thread of a .prv', await page.evaluate('[timelineView.now.lines.filter(line => line.row && !line.row.isVm).length, model.index.rows.filter(row => row.isVm).length]'), [report.threads.filter(t => t.name !== 'JVM').length, report.threads.filter(t => t.name === 'JVM').length]);
await page.close();

// ---- keys alone ----
page = await open('use', '#tab=timeline');
const walk = async (...keys) => {
	for (const key of keys) {
		await page.keyboard.press(key);
		await page.waitForTimeout(80);
	}
	return page.evaluate('(s => s ? [threadName(s.row.place), s.level, s.level ? methodName(s.what) : stateName(s.what)] : shown.selection && [threadName(shown.selection.row), -1])(selected())');
};
const focused = () => page.evaluate('document.activeElement.className || document.activeElement.textContent || document.activeElement.tagName');
const told = () => page.textContent('.toolbar .state');
await page.focus('.stage');
is('Enter, with nothing selected: the first call in view', await walk('Enter'), ['main', 1, 'Use.main']);
for (const key of ['ArrowDown', 'ArrowRight', 'n', ']', '['])
	is(`... so does ${key}`, [await walk('Escape'), await walk(key)], [null, ['main', 1, 'Use.main']]);
is('to another thread', await walk('Shift+ArrowDown'), ['pool-1-thread-2', -1]);
is('... where N says what to do', [await walk('n'), await told()], [['pool-1-thread-2', -1], 'A thread is selected: ↓ leads to what it did.']);
is('... into it: its states', (await walk('ArrowDown')).slice(0, 2), ['pool-1-thread-2', 0]);
is('... its calls', await walk('ArrowDown'), ['pool-1-thread-2', 1, 'Use.pays']);
is('... to the next one', [await walk('n'), await page.evaluate('selected().i')], [['pool-1-thread-2', 1, 'Use.pays'], 1]);
is('... which called nothing', [await walk('ArrowDown'), await told()], [['pool-1-thread-2', 1, 'Use.pays'], 'It called nothing that was recorded.']);
is('... out again', [(await walk('ArrowUp')).slice(0, 2), await walk('ArrowUp')], [['pool-1-thread-2', 0], ['pool-1-thread-2', -1]]);
is('... and back', [await walk('Shift+ArrowUp'), await walk('Shift+ArrowUp'), await told()], [['main', -1], ['main', -1], 'There is no thread above it.']);
is('not alive: before its life, and after it', await page.evaluate('[[0, 3], [2, 3], [2, 4]].map(([i, n]) => stateAt({ n, what: [2, 1, 2, 1] }, i))'), ['Not created', 'Ended', 'No thread']);
is('the keys are where they were', await focused(), 'stage');
await page.focus('#details .actions button:text-is("First call in view")');
is('a thread offers its calls', [await walk('Enter'), await focused()], [['main', 1, 'Use.main'], 'stage']);
await page.focus('#details .actions button:text-is("Next")');
is('who steps by a button stays at it', [await walk('Enter', 'Enter'), await focused()], [['main', 1, 'Use.main'], 'Next']);
await page.keyboard.press('1');
await settled(page);
for (const [where, tab, to] of [['#slowest .link', 'overview', 'stage'], ['#costliest .link', 'overview', 'view-methods'], ['#method-details .list:not(#longest) .link', 'methods', 'details']]) {
	await page.evaluate(`openTab('${tab}')`);
	await settled(page);
	await page.focus(where);
	await page.keyboard.press('Enter');
	await settled(page);
	is(`a link leads the keys along: ${where}`, await focused(), to);
}
await page.close();

// ---- the address ----
page = await open('use', '#tab=threads');
await page.click('#threads .link:text-is("spin-1")');
await settled(page);
const chosen = where => where.evaluate('[shown.tab, shown.selection, shown.zoom, document.querySelector("#details h2, .flame-line").textContent]');
let wanted = await chosen(page), link = await page.evaluate('location.hash');
let again = await open('use', link);
await settled(again);
is('a link to a thread leads to it', [await chosen(again), wanted[3]], [wanted, 'spin-1']);
await again.close();
await page.keyboard.press('1');
await settled(page);
await page.goBack();
await settled(page);
is('... and so does the way back', await chosen(page), wanted);
await page.evaluate('openTab("flame")');
await settled(page);
await page.focus('.flame');
for (const key of ['ArrowDown', 'Enter'])
	await page.keyboard.press(key);
await settled(page);
[wanted, link] = [await chosen(page), await page.evaluate('location.hash')];
is('a box of the flame graph is in the address', /^\d+$/.test(wanted[2]), true);
again = await open('use', link);
await settled(again);
is('... a link leads to it', await chosen(again), wanted);
await again.close();
for (const key of ['Escape', '1', '4']) {
	await page.keyboard.press(key);
	await settled(page);
}
is('... and it is there after another view', (await chosen(page)).slice(2), wanted.slice(2));
await page.selectOption('.toolbar label:has-text("Below") select', '1');
await settled(page);
is('... not when the graph is turned over', await page.evaluate('[shown.zoom, flameView.now.zoomed === flameView.now.root]'), ['', true]);
await page.close();

// ---- tables ----
page = await open('use', '#tab=methods');
const lines = id => page.locator(`#${id} tbody tr`).count();
is('a long table: its first rows', [await lines('methods'), report.methods.length > 110], [100, true]);
await page.focus('.more button');
await page.keyboard.press('Enter');
const nth = n => page.evaluate(`document.querySelector('#methods tbody').rows[${n}].querySelector('.link') === document.activeElement`);
is('more of it: the keys go on at the first that is new', [await lines('methods'), await nth(100)], [report.methods.length, true]);
await page.locator('#methods tbody tr').nth(130).scrollIntoViewIfNeeded();
const scrolled = () => page.evaluate('document.querySelector(".pane").scrollTop');
const top = await scrolled();
await page.locator('#methods tbody tr').nth(130).locator('td').nth(1).click();
await settled(page);
is('who chooses a row stays where he is', [await scrolled(), await lines('methods'), await page.evaluate('document.querySelector("#methods tbody").rows[130].classList.contains("picked")')], [top, report.methods.length, true]);
await page.locator('#methods tbody tr').nth(131).locator('.link').focus();
await page.keyboard.press('Enter');
await settled(page);
is('... by keys, too', [await nth(131), await page.locator('#methods tr.picked').count(), await page.evaluate('document.querySelector("#methods tbody").rows[131].classList.contains("picked")')], [true, 1, true]);
await page.keyboard.press('1');
await page.keyboard.press('3');
await settled(page);
is('... and finds it again', [await lines('methods'), await page.locator('#methods tr.picked').count()], [report.methods.length, 1]);
const cell = await page.locator('#methods tbody tr').nth(2).locator('td').nth(2).boundingBox();
await page.mouse.move(cell.x + 14, cell.y + cell.height / 2);
await page.mouse.down();
await page.mouse.move(cell.x + cell.width + 30, cell.y + cell.height / 2, { steps: 5 });
await page.mouse.up();
is('a figure can be chosen as text', await page.evaluate('[getSelection().toString().length > 0, document.querySelector("#methods tr.picked").sectionRowIndex]'), [true, 131]);
await page.evaluate('openTab("overview")');
await page.click('#waited-for .link');
await settled(page);
is('what was waited for leads to its single waits', await page.evaluate('[shown.tab, shown.wait, document.querySelectorAll("#single-waits li").length > 0]'), ['waits', 0, true]);
await page.evaluate('shown.wait = null');
await page.evaluate('openTab("waits")');
await page.locator('#waits tbody tr').first().locator('td').nth(1).click();
is('the line of waits that is chosen is marked', await page.$$eval('#waits tr', list => list.map(row => row.classList.contains('picked')).indexOf(true)), 1);
await page.close();

// ---- what a range is of ----
page = await open('use', '#tab=waits&wait=0');
const middle = await page.evaluate('(w => (w.begin + w.end) / 2)(singles.all[5])');
await page.evaluate(`shown.range = [0, ${middle}], changed("range")`);
await page.waitForSelector('#range-waits');
const lineOf = async () => page.evaluate('[...document.querySelectorAll("#range-waits tr.picked [data-n], #range-waits tr.picked [data-ns]")].map(e => Number(e.dataset.n ?? e.dataset.ns))');
const facts = async side => page.evaluate(`[...document.querySelectorAll('${side} h3 + .facts')].map(dl => [dl.previousSibling.textContent, ...[...dl.querySelectorAll('dd')].map(dd => dd.textContent)])`);
const [times, ns, longest] = await lineOf();
is('waits: what the line says of a range the details say, too', [times, await facts('#wait-details')], [6, await page.evaluate(`[['In the range', time(${ns}), '${times}', time(${longest})], ['In the whole run', ...(w => [time(w.ns), count(w.count), time(w.longestNs)])(model.report.waits[0])]]`)]);
is('... of who held it', [(await below('#wait-details', 'Held by, in the range')).map(r => r.slice(1)), await page.locator('#wait-details h3:has-text("The 6 waits, in the range")').count()], [[[await page.evaluate(`time(${ns})`), String(times)]], 1]);
is('... of a wait that goes on after it', await page.locator('#single-waits li:has-text("in the range")').count(), 1);
await page.evaluate(`openTab('methods'), openMethod(${await number('Use.pays')})`);
await until(page, 'document.querySelector("#method-details h3")?.textContent === "In the range, about"');
const known = await facts('#method-details');
is('methods: calls of the range, and of the run', known.slice(0, 2).map(f => f.slice(0, 2)), [['In the range, about', '6'], ['In the whole run', '12']]);
is('... and who called it in the range', (await below('#method-details', 'Called by, in the range')).map(r => r[2]), ['6']);
for (const tab of ['overview', 'path', 'timeline', 'flame']) {
	await page.evaluate(`openTab('${tab}')`);
	await settled(page);
	is(`${tab}: whose figures are of all the time says so`, await page.locator('.whole-run').count(), ['overview', 'path'].includes(tab) ? 1 : 0);
}
await page.evaluate('openTab("overview")');
await page.click('#range-chip button');
is('... while there is a range', await page.locator('.whole-run').count(), 0);
is('the slowest calls: a call that the collector stopped', spaces(await page.textContent('#slowest tr:has(.link:text-is("Use.stopped")) .reason')), 'stopped by the collector 66.7 %, 1 pause');
is('... one that waited', /^1\.00\d ms to enter acme.Lock.* held by main in Use/.test(spaces(await page.textContent('#slowest tr:has(.link:text-is("Use.pays")) .reason >> nth=0'))), true);
await page.close();

// ---- calls that a range cuts ----
page = await open('use');
is('where a call that a range cuts was made: at its one line, or at that of a wait in it', await page.evaluate(`(() => {
	const at = (line, method = 'A.b') => ({ begin: 20, end: 30, raw: { wait: 'park', method, source: 'A.java', line } }), sites = (...lines) => lines.map(line => ({ source: 'A.java', line }));
	const row = { place: 0 }, found = (waits, ...lines) => (singles.byRow = new Map([[0, waits]]), siteOf(row, 10, 40, 'A.b', sites(...lines)).line);
	return [found([], 7), found([], 7, 7), found([], 7, 8), found([at(8)], 7, 8, 8), found([at(7), at(8)], 7, 8), found([at(9)], 7, 8), found([at(8, 'A.c')], 7, 8)];
})()`), [7, 7, 0, 8, 0, 0, 0]);
is('what it is about: as all others there, else as all others of its kind', await page.evaluate(`(() => {
	const wait = (line, name) => ({ wait: 'call', callee: 'L.lock', method: 'A.b', source: 'A.java', line, class: name }), known = list => (model.report.waits = list, classAt(waitKey({ ...wait(7, ''), class: '' }), 'L.lock'));
	return [known([wait(7, 'x.L'), wait(8, 'x.M')]), known([wait(8, 'x.M')]), known([wait(7, 'x.L'), wait(7, 'x.M')]), known([])];
})()`), ['x.L', 'x.M', '', '']);
await page.close();
page = await open('use', '#tab=waits');
await page.evaluate('shown.range = [0, 1000], lastParts = { key: "0-1000", list: [{ one: { raw: { wait: "call", callee: "L.lock", line: 0 } }, ns: 5 }], parts: Promise.resolve([{ one: { row: 0, begin: 0, end: 9, raw: { wait: "call", callee: "L.lock", method: "A.b", source: "", line: 0, class: "" } }, ns: 5 }]) }, changed("range")');
await page.waitForSelector('#range-waits');
is('... where that is not known, the page says so', await page.locator('.notice:has-text("has no line here where several lines of its caller make such calls")').count(), 1);
await page.close();

// ---- a request ----
page = await open('use');
is('a request is the range, where it is in the timeline', await page.evaluate('placeOfThread = () => 0, goToRequest({ task: 1, asker: 1, beginNs: 2000, ns: 500000 }).then(() => [shown.tab, shown.range, shown.from < 2000 && shown.to > 502000])'), ['timeline', [2000, 502000], true]);
await page.close();

// ---- tables that are wider than the window ----
page = await open('use', '#tab=waits', { viewport: { width: 1280, height: 800 } });
const edges = () => page.evaluate('["more-left", "more-right"].filter(name => document.querySelector(".pane").classList.contains(name))');
await page.evaluate('document.querySelector("#waits").style.width = "3000px"');
await settled(page);
const atLeft = await edges();
await page.evaluate('document.querySelector(".pane").scrollLeft = 200');
await settled(page);
const between = await edges();
await page.evaluate('document.querySelector(".pane").scrollLeft = 9000');
await settled(page);
is('where there is more, the edge shows it', [atLeft, between, await edges()], [['more-right'], ['more-left', 'more-right'], ['more-left']]);
await page.evaluate('document.querySelector("#waits").style.width = ""');
await settled(page);
is('... and nowhere else', await edges(), []);
await page.close();

// ---- a range by the pointer ----
page = await open('use', '#tab=timeline');
{
	const box = await page.locator('.stage canvas').boundingBox();
	await page.keyboard.down('Shift');
	await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 4 });
	await page.mouse.up();
	await page.keyboard.up('Shift');
	await settled(page);
	const range = await page.evaluate('shown.range');
	is('a range by the pointer is of whole ns, as a link to it is', [range.map(t => Math.round(t)), await page.evaluate('new URLSearchParams(location.hash.slice(1)).get("range")')], [range, range.join('-')]);
}
await page.close();

// ---- what an instant belongs to ----
page = await open('use');
is('who ends at an instant is not ended yet', await page.evaluate(`(() => {
	const track = (...spans) => ({ n: spans.length, begin: spans.map(s => s[0]), end: spans.map(s => s[1]), what: spans.map(s => s[2]) });
	return [innermost({ tracks: [track([0, 50, 1], [50, 90, NOT_CREATED])] }, 50), innermost({ tracks: [track([0, 50, 1], [50, 90, NOT_CREATED])] }, 51)].map(s => [s.begin, s.end]);
})()`), [[0, 50], [50, 90]]);
is('pauses of the collector have their colour in the map, too', await page.evaluate(`(async () => {
	for (const row of model.index.rows)
		await loadRow(row);
	const map = Object.create(TimelinePicture.prototype), colours = new Set();
	map.map = Object.assign(document.createElement('canvas'), { width: 4000, height: 44 });
	map.makeMap();
	for (const pixel of new Uint32Array(map.makeMap().data.buffer))
		colours.add(pixel);
	return [KINDS.findIndex(k => k.key === 'gc')].map(kind => colours.has(paint.kinds[kind]));
})()`), [true]);
is('controls of the direction of text are shown as the report shows them', await page.evaluate('withoutTurns("a\u202eb\u2069c\u00e9")'), 'a\\xe2\\x80\\xaeb\\xe2\\x81\\xa9cé');
await page.close();

// ---- keys ----
page = await open('use', '#tab=timeline&range=1000000-2000000');
const state = () => page.evaluate('[shown.range !== null, shown.query, shown.rows]');
await page.keyboard.press('/');
await page.keyboard.type('spins');
await settled(page);
await page.keyboard.press('Escape');
is('Esc in the search drops that first', [await state(), await page.inputValue('#search'), await page.evaluate('document.activeElement.id')], [[true, '', ''], '', 'search']);
await page.fill('.toolbar input', 'pool');
await page.keyboard.press('Escape');
is('... in the filter, too', [await state(), (await rows()).length], [[true, '', ''], report.threads.length]);
await page.keyboard.press('Escape');
is('... and the range after that', await state(), [false, '', '']);
const press = options => page.evaluate(`(event => { document.body.dispatchEvent(event); return event.defaultPrevented; })(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...${JSON.stringify(options)} }))`);
is('[ where AltGr types it, or Option, is [; with Ctrl or Cmd it is the browser’s', [await press({ key: '[', ctrlKey: true, altKey: true, modifierAltGraph: true }), await press({ key: ']', altKey: true }), await press({ key: '[', ctrlKey: true }), await press({ key: '[', metaKey: true }), await press({ key: 'a', altKey: true })], [true, true, false, false, false]);
await page.keyboard.press('?');
const listed = await page.$$eval('dialog .keys dt', list => list.map(dt => [dt.textContent, dt.nextSibling.textContent]));
is('? has the keys of the flame graph', listed.filter(([, what]) => /flame graph:/.test(what)).map(([keys]) => keys), ['arrowsEnterBackspace']);
is('... and of the tabs that there are', listed.filter(([, what]) => /^overview/.test(what)), [['1 – 7', 'overview, timeline, methods, flame graph, waits, threads, critical path']]);
await page.close();

// ---- touch ----
page = await open('use', '#tab=timeline', { hasTouch: true });
await settled(page);
const cdp = await page.context().newCDPSession(page);
const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
/** Fingers that go from FROM to TO, lists of places. */
async function slide(from, to) {
	await touch('touchStart', from);
	for (let i = 1; i <= 10; i++)
		await touch('touchMove', from.map(([x, y], k) => [x + (to[k][0] - x) * i / 10, y + (to[k][1] - y) * i / 10]));
	await touch('touchEnd', []);
	await settled(page);
}
const view = () => page.evaluate('[shown.from, shown.to, shown.range]');
const map = await page.locator('.minimap').boundingBox(), stage = await page.locator('.stage canvas').boundingBox();
const at = part => stage.x + 210 + (stage.width - 210) * part;
const run = report.durationNs, near = (a, b) => Math.abs(a - b) < run / 50;
await slide([[map.width * 0.25, map.y + 20]], [[map.width * 0.75, map.y + 22]]);
let [begins, ends] = await view();
is('a finger on the minimap chooses what is shown', [near(begins, run / 4), near(ends, run * 3 / 4)], [true, true]);
await slide([[at(0.4), stage.y + 100], [at(0.6), stage.y + 100]], [[at(0.2), stage.y + 100], [at(0.8), stage.y + 100]]);
[begins, ends] = await view();
is('two fingers zoom at where they are', [near(begins, run * (0.5 - 1 / 12)), near(ends, run * (0.5 + 1 / 12))], [true, true]);
await page.tap('.choose-range');
await slide([[at(0.25), stage.y + 100]], [[at(0.75), stage.y + 110]]);
const [, , range] = await view();
is('a range, by touch', [range !== null && near(range[0], run * (0.5 - 1 / 24)) && near(range[1], run * (0.5 + 1 / 24)), await page.getAttribute('.choose-range', 'aria-pressed')], [true, 'false']);
await slide([[at(0.25), stage.y + 100]], [[at(0.75), stage.y + 100]]);
is('... and after that a finger moves the view', [(await view())[0] < begins, (await view())[2]], [true, range]);
await page.close();

// ---- paper, narrow windows, colours of the system ----
page = await open('use', '#tab=methods');
const sheets = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
is('100 rows of a table are more than a sheet', await sheets() > 2, true);
await page.keyboard.press('1');
is('the overview, too', await sheets() > 1, true);
await page.setViewportSize({ width: 400, height: 800 });
for (const [tab, id, column] of [['threads', 'threads', 'Running'], ['path', 'path-threads', 'On the path'], ['path', 'path-methods', 'On the path']]) {
	await page.evaluate(`openTab('${tab}')`);
	await settled(page);
	is(`400: names of 300 letters leave room for figures: ${id}`, await page.evaluate(`(head => head.getBoundingClientRect().right <= innerWidth)([...document.querySelectorAll('#${id} th')].find(th => th.textContent === '${column}'))`), true);
}
await page.setViewportSize({ width: 1280, height: 800 });
await page.emulateMedia({ forcedColors: 'active' });
await page.evaluate(`openTab('methods'), openMethod(${await number('Use.pays')})`);
await settled(page);
const painted = selector => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor === (e => { e.className = 'kind-running'; document.body.append(e); const c = getComputedStyle(e).getPropertyValue('--kind-running').trim(); e.remove(); return 'rgb(' + rgbOf(c).join(', ') + ')'; })(document.createElement('i'))`);
is('colours of the system: bars have their own all the same', await painted('.bars i'), true);
await page.close();

// ---- figures and words ----
page = await open('use', '#tab=timeline');
await settled(page);
is('times: never 60 s, 60 min, or 1000 of a unit', await page.evaluate('[179.7e9, 3599.8e9, 7199.8e9, 119.9999e9, 999.96e6, 999.4e6, 999].map(time)'), ['3 min 0 s', '1 h 0 min', '2 h 0 min', '120.0 s', '1.000 s', '999.4 ms', '999 ns']);
is('a run of milliseconds has no seconds on its axis', await page.evaluate('[model.end < 1e9, moment(1e6, 1e6), moment(0, 1e5)]'), [true, '1 ms', '0.0 ms']);
const program = report.threads.filter(t => t.name !== 'JVM').length;
is('the JVM is no thread of the program', await page.evaluate('(lines => [lines.length, timelineView.now.mapText])(timelineView.now.lines.filter(line => line.row && !line.row.isVm))'), [program, `${program} threads at most`]);
is('waits have the colour of their state', await page.evaluate(`['enter', 'wait', 'park', 'sleep', 'work', 'requests', 'read', 'force', 'fileLock', 'process', 'call'].map(wait => kindOfWait({ wait }))`), ['blocked', 'waiting', 'waiting', 'waiting', 'forWork', 'forWork', 'io', 'io', 'io', 'waiting', 'waiting']);
await page.evaluate('openTab("path")');
await page.click('#path-methods .link:text-is("Use.main")');
is('methods of the critical path are links', await page.evaluate('[shown.tab, model.methods[shown.method].name]'), ['methods', 'Use.main']);
is('one task is no tasks', await page.evaluate('(model.tasks = { tasks: [], taskCount: 1, stageCount: 1, stragglers: 0 }, taskTable().textContent.slice(0, 18))'), '1 task of 1 stage,');
await page.evaluate(`model.report.threads.unshift(...Array.from({ length: 2000 }, (_, i) => ({ ...model.report.threads[0], name: 'more-' + i }))), shown.thread = 2001, openTab('flame')`);
await settled(page);
is('a thread that the list has no room for is there when it is shown', await page.evaluate('[...document.querySelectorAll(".toolbar select")][2].selectedOptions[0].textContent'), report.threads[1].name);
await page.close();

// ---- what is not all of the run ----
const noticed = async name => {
	const some = await open(name);
	const said = await some.evaluate('[document.title, ...[...document.querySelectorAll(".notices li")].map(li => li.textContent.trim())]');
	await some.close();
	return said.filter(text => !/nested deeper/.test(text));
};
is('a part of a run says so, and which', await noticed('part'), ['part of use — jweave', 'This page shows a part of the run, and all figures are of that part: --thread=pool-* --min-duration=1us --max-depth=5']);
{
	const some = await open('second');
	is('one process of two: its threads have the numbers of the trace', await some.evaluate('[model.processes.length, model.processes[0].task, placeOfThread(2, model.report.threads[0].thread), severalProcesses()]'), [1, 2, 0, false]);
	await some.close();
}
is('all of it says nothing', await noticed('use'), ['use — jweave']);
is('a run that is called by a number has its folder', (await noticed('numbered'))[0], 'before/1 — jweave');
{
	const some = await open('moment');
	is('a part in which no method ran', await some.textContent('section:has(h2:text-is("Costliest methods")) .empty'), 'No method ran in this part of the run.');
	await some.close();
}
{
	const some = await open('killed');
	is('... tells no CPU time, and why', await some.evaluate('model.report.cpuNs = 0, model.processes.forEach(p => p.cpu = 0), cpuTile().textContent'), 'CPU time–told at the end, which is not there');
	is('... nor does a flight recorder', await some.evaluate('model.about.withoutEnd = 0, cpuTile().textContent'), 'CPU time–not in the recording: a flight recorder does not tell it');
	is('... nor what is damaged', await some.evaluate('model.about.warnings = ["x"], cpuTile().textContent'), 'CPU time–not in what could be read');
	is('... nor of a part of a run', await some.evaluate('model.about.part = ["--from=1"], cpuTile().textContent'), 'CPU time–known of the whole run alone');
	is('... nor a summary', await some.evaluate('model.index = null, cpuTile().textContent'), 'CPU time–a summary does not tell it');
	is('no method: of what is damaged nobody knows', await some.evaluate('model.about.part = [], model.about.warnings = ["x"], noMethod()'), 'No method is in what could be read: why, the warnings of the overview may say.');
	is('... of what is whole one does', await some.evaluate('model.about.warnings = [], noMethod()'), 'No method was recorded: the rules chose none that ran, or recording was off.');
	await some.close();
}
is('a program that was killed', (await noticed('killed'))[1], 'The program did not end normally, or is still running: what is shown ends where it was last seen.');
is('one of two', (await noticed('both'))[1], '1 of 2 processes did not end normally, or is still running: what is shown ends where it was last seen.');

{
	const some = await open('both');
	const rows = '[...document.querySelectorAll("#processes tbody tr")]';
	is('how processes ended', await some.evaluate(`${rows}.map(tr => tr.cells[1].textContent)`), ['exit', 'no end: killed, or still running']);
	is('... before what they did', await some.evaluate('document.querySelector("#processes").compareDocumentPosition(document.querySelector("#costliest")) & Node.DOCUMENT_POSITION_FOLLOWING'), 4);
	is('CPU time of those that told it', await some.evaluate('model.processes[0].cpu = 2.5e9, cpuTile().textContent'), 'CPU time≥ 2.500 sof 1 of 2 processes, which told it');
	is('threads of processes are those of the tile, without the rows of JVMs', await some.evaluate('[model.processes.reduce((n, p) => n + p.threads, 0) === model.report.threadCount, model.report.threads.some(t => t.isVm)]'), [true, true]);
	await some.click('#processes tbody tr:nth-child(2) td:last-child');
	is('a click on a line is one on its link', await some.evaluate('shown.tab + " " + shown.rows'), 'timeline Process 2');
	is('arrows that would cover each other are one', await some.evaluate(`(() => {
		const t = TimelinePicture.prototype, a = { from: Array(300).fill(0), to: Array(300).fill(1), sent: Array(300).fill(1000), received: Array(300).fill(2000) };
		model.arrows = a;
		return t.arrowCurves.call({ arrowY: row => row * 50, x: at => at / 100 }, a.from.map((_, i) => i)).length;
	})()`), 1);
	await some.close();
}

is('no error, and nothing was asked of a network', heard, []);
plan();
await browser.close();
