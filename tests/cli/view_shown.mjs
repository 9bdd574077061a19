// node view_shown.mjs PLAYWRIGHT CHROMIUM PAGE: what PAGE, with an earlier run, shows when one uses it: what is said of what is
// pointed at; a range; the minimap; a call; narrow windows; methods
// that were closed while the program ran. TAP without a plan.
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show, until } from './browser.mjs';

const [playwright, executablePath, page_] = process.argv.slice(2);
const address = pathToFileURL(page_).href;

const browser = await launch(playwright, executablePath);
const heard = [];
const page = await show(browser, heard, address);
const settled = () => page.waitForTimeout(400);

// ---- what is said of what is pointed at ----
const told = () => page.evaluate('!byId("tip").hidden');
/** Points at what is there in the timeline: the band of states of the first row. */
async function point() {
	await page.keyboard.press('2');
	await settled();
	const box = await page.locator('.stage').boundingBox();
	for (let x = 300; x < 700 && !await told(); x += 25)
		await page.mouse.move(box.x + x, box.y + 31);
	return told();
}
for (const key of ['3', '4', '5', '1', 'r', 'w', 'd', 'f']) {
	is(`what is pointed at is told, before ${key}`, await point(), true);
	await page.keyboard.press(key);
	is('... and no longer after it', await told(), false);
	await page.keyboard.press('Escape');
	await page.mouse.move(5, 5);
}

// ---- a range ----
is('what methods did in two halves of the run is what they did', await page.evaluate(`Promise.all([treeOf(0, model.end / 2, null), treeOf(model.end / 2, model.end, null)])
	.then(halves => model.methods.filter(m => KINDS.some((kind, i) => Math.abs(halves[0].splits[m.number + 1][i] + halves[1].splits[m.number + 1][i] - (m.split[kind.key] || 0)) > 1)).map(m => m.name))`), []);
await page.evaluate('shown.range = [model.begin + 1, model.end - 1], changed("range"), openTab("methods")');
await page.waitForSelector('#range-methods');
const barOf = name => page.evaluate(`[...document.querySelectorAll('#range-methods tbody tr')].filter(row => row.querySelector('.link').textContent === '${name}').flatMap(row => [...row.querySelectorAll('.bar i')].map(i => i.className))`);
const blocked = await page.evaluate('model.methods.find(m => m.split.blocked).name');
is('a method that was blocked has that colour in a range', (await barOf(blocked)).includes('kind-blocked'), true);
is('percentiles of a range', await page.$$eval('#range-methods th', heads => heads.map(h => h.textContent).filter(text => text.startsWith('p'))), ['p50', 'p90', 'p99', 'p99.9']);
// a trace without states
await page.evaluate('model.report.statesKnown = false, lastTree = null, changed("range")');
await until(page, 'document.querySelector("#range-methods .kind-unknown")');
is('without states no bar has the colour of one', [...new Set(await barOf(blocked))], ['kind-unknown']);
await page.evaluate('model.report.statesKnown = true, lastTree = null, shown.range = null, changed("range")');

// ---- the minimap ----
is('a few moments with 200 threads do not hide the others', await page.evaluate(`(few => [few.most, few.isLog, few.height(1) * MINIMAP > 5, few.height(2) > 1.5 * few.height(1), few.height(200)])(mapScale(Float64Array.from({ length: 1000 }, (_, i) => i < 850 ? 2 : 200)))`), [200, true, true, true, 1]);
is('... and where most have about as many heights are as threads', await page.evaluate(`(most => [most.most, most.isLog, most.height(4)])(mapScale(Float64Array.of(0, 8, 1, 4, 5, 7)))`), [8, false, 0.5]);
await page.keyboard.press('2');
await settled();
is('the minimap says what its heights are', await page.evaluate('[/^\\d+ threads at most/.test(timelineView.now.mapText), timelineView.now.map.getAttribute("aria-label").includes(timelineView.now.mapText)]'), [true, true]);

// ---- a call ----
is('when something was: one unit, and few digits', await page.evaluate('[[246159116, 1], [246159116, 1000], [2246159116, 1000], [5000, 1], [950, 1], [1500000, 1e5], [0, 1000]].map(([ns, step]) => moment(ns, step))'),
	['246.159116 ms', '246.159 ms', '2.246159 s', '5.000 µs', '0.950 µs', '1.5 ms', '0.000 ms']);
await page.evaluate(`(async () => {
	const all = model.longest.flatMap((list, m) => list.map(call => ({ ...call, m }))).sort((a, b) => b.ns - a.ns);
	await goTo(all[0].row, all[0].level + 1, all[0].begin, all[0].begin + all[0].ns);
})()`);
await settled();
is('all that a call did is listed, running too', await page.evaluate(`(s => {
	const split = insideSplit(s), said = Object.fromEntries([...document.querySelectorAll('#details dt')].map(dt => [dt.textContent, dt.nextSibling.textContent]));
	return [split.running > 0, KINDS.every(kind => !split[kind.key] || (said[kind.name] || '').startsWith(time(split[kind.key])))];
})(selected())`), [true, true]);
await page.keyboard.press('Escape');

// ---- narrow windows ----
await page.evaluate('document.getElementById("title").textContent = "a program"');
for (const width of [420, 700, 900, 1100, 1280, 1400]) {
	await page.setViewportSize({ width, height: 800 });
	await page.evaluate('shown.query = "", shown.range = null, changed("query", "range"), openTab("overview")');
	const head = await page.evaluate('byId("head").offsetHeight');
	await page.evaluate('shown.range = [1, model.end / 2], changed("range")');
	is(`${width}: a range leaves the view where it is`, width < 700 || await page.evaluate('byId("head").offsetHeight') === head, true);
	const before = await page.locator('#search').boundingBox();
	await page.evaluate('shown.query = "shop", changed("query")');
	const after = await page.locator('#search').boundingBox();
	is(`${width}: a search leaves its box where it is`, [after.x, width > 560 ? after.y : 0], [before.x, width > 560 ? before.y : 0]);
	is(`${width}: the title and what is found can be read`, await page.evaluate(`[byId('title'), byId('search-sums')].map(e => e.scrollWidth <= e.clientWidth && e.offsetHeight < 36)`), [true, true]);
	is(`${width}: no table runs out of its card`, await page.evaluate(`[...document.querySelectorAll('.card')].filter(card => card.scrollWidth > card.clientWidth).map(card => card.textContent.slice(0, 30))`), []);
	is(`${width}: names have room`, await page.evaluate(`document.querySelector('#costliest td').offsetWidth >= 100`), true);
}
await page.setViewportSize({ width: 1280, height: 800 });
await page.evaluate('shown.query = "", shown.range = null, changed("query", "range")');

// ---- methods that were closed ----
const said = async () => (await page.textContent('#main')).match(/\d+ methods? w\w+ closed while the program ran: calls of \w+ after that are not in this view/g) || [];
const TABS = ['overview', 'timeline', 'methods', 'flame', 'path'];
/** What each view says, without a selection. */
async function all() {
	const list = [];
	for (const tab of TABS) {
		await page.evaluate(`openTab('${tab}')`);
		await settled();
		list.push((await said()).join());
	}
	return list;
}
is('nothing is said where no method was closed', await all(), TABS.map(() => ''));
await page.evaluate('model.methods[0].closed = model.methods[1].closed = Math.round(model.end / 2), closedMethods = null');
is('each view that lacks calls says so', await all(), TABS.map(() => '2 methods were closed while the program ran: calls of them after that are not in this view'));
await page.evaluate('shown.range = [1, model.end / 4], changed("range"), openTab("methods")');
await page.waitForSelector('#range-methods');
is('... of a range before that nothing', await said(), []);
await page.evaluate('shown.range = [1, model.end * 0.6], changed("range")');
await until(page, '/were closed/.test(document.getElementById("main").textContent)');
await page.evaluate('model.methods[0].closed = model.methods[1].closed = 0, closedMethods = null, shown.range = null, changed("range")');
// in one of two runs
const partly = () => page.evaluate(`[...document.querySelectorAll('#diff-methods tr.last')].map(row => [...row.cells].map(cell => cell.textContent)).map(cells => [cells[0].split('(')[0], cells[4], cells[5]]).sort()`);
await page.evaluate('openTab("diff")');
await page.waitForSelector('#diff-methods');
is('two runs with all calls: all can be compared', await partly(), []);
await page.evaluate(`model.diff.methods.find(row => row.label === 'Shop.price').self.verdict = 'at-least', holders = changes = null, openTab('diff')`);
await page.waitForSelector('#diff-methods tr.last');
is('closed in one of them: it and who calls it come last, without a percentage', await partly(), [['Shop.main', '·', 'holds time of closed methods'], ['Shop.price', '·', 'at least: not all was recorded']]);
is('... that is said', await page.evaluate('/1 method was not all recorded in one of the runs, and the self time of 1 method holds that of closed ones which it calls: nobody knows/.test(byId("main").textContent)'), true);
is('... their change has no colour', await page.evaluate(`document.querySelectorAll('#diff-methods tr.last .more-of-it, #diff-methods tr.last .less-of-it').length`), 0);
is('... nor have they one in the flame graph', await page.evaluate(`(colours => ['Shop.price', 'Shop.main'].map(name => colours[model.methods.findIndex(m => m.name === name) + 1]).map(c => (c & 255) === (c >> 8 & 255) && (c & 255) === (c >> 16 & 255)))(changeColours())`), [true, true]);
await page.selectOption('section:has(#diff-methods) select', 'total');
is('... what is in its callees is in the total of both runs', await partly(), []);
// ---- the order of differences ----
await page.keyboard.press('/');
is('/ searches, also from the list of figures', await page.evaluate('document.activeElement.id'), 'search');
await page.evaluate(`shown.query = '', changed('query'), model.diff.judged = true, model.diff.methods.forEach((row, i) => row.total = { ...row.total, change: 1000 - i, verdict: i === 2 ? 'changed' : i === 1 ? 'few-runs' : 'noise' }), openTab('diff')`);
await page.waitForSelector('#diff-methods');
const judged = () => page.$$eval('#diff-methods tbody tr', list => list.slice(0, 3).map(row => row.cells[5].textContent));
is('what has changed is first, then what may have', await judged(), ['has changed', 'too few runs to tell of so many figures', 'no more than noise']);
await page.click('#diff-methods th:has-text("Change") button');
await page.click('#diff-methods th:has-text("Change") button');
is('... until a header is pressed', (await judged())[0], 'no more than noise');

await page.evaluate(`model.diff.methods.push({ ...model.diff.methods[0], label: 'Shop.gone', title: 'Shop.gone', name: 'gone', class: 'shop.Shop', descriptor: '()V', in: 'a' }), shown.query = 'shop.gone', changed('query')`);
is('a search in the difference finds methods of the earlier run alone', await page.$$eval('#diff-methods tbody tr', list => list.map(row => row.cells[0].textContent)), ['Shop.gone']);

is('no error, and nothing was asked of a network', heard, []);
plan();
await browser.close();
