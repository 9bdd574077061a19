// node view_traces.mjs PLAYWRIGHT CHROMIUM PAGE REPORT: opens PAGE, of the run that x_spans.c makes, in a browser that nobody sees: its
// table of traces has the spans of REPORT (the JSON of `jweave report --trace-id`) once its id is searched, and a thread leads to
// the first call in the timeline, which has the ids among its details. TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { followed, is, launch, show } from './browser.mjs';

const [playwright, executablePath, page_, report_] = process.argv.slice(2);
const report = JSON.parse(readFileSync(report_, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];
const page = await show(browser, heard, pathToFileURL(page_).href);
const rows = () => page.$$eval('#contexts tbody tr', list => list.map(row => [row.cells[2].textContent, row.cells[3].textContent, Number(row.cells[1].querySelector('[data-ns]').dataset.ns)]));
is('all traces are there', (await rows()).length, report.spans.length + 1);
await page.fill('#search', report.traceId.slice(0, 12).toUpperCase());
await page.waitForTimeout(500);
is('an id finds its spans', (await rows()).sort(), report.spans.map(s => [s.traceId, s.spanId, s.endNs - s.beginNs]).sort());
const first = report.calls[0], chosen = await followed(page, '#contexts tbody tr:nth-child(1) td:nth-child(5) .link');
const earliest = Math.min(...report.spans.map(s => s.beginNs));
is('the earliest is that of the first call', report.spans[0].beginNs, earliest);
is('a click leads to its first call in the timeline', chosen, { tab: 'timeline', row: first.row - 1, track: 2, begin: first.beginNs });
const link = await page.evaluate('location.hash'), again = await show(browser, heard, pathToFileURL(page_).href + link);
is('a link to it leads there although the id is searched', [/q=/.test(link), await again.evaluate('shown.tab')], [true, 'timeline']);
await again.close();
await page.keyboard.press('1');
await page.waitForTimeout(500);
await page.goBack();
await page.waitForTimeout(500);
is('... the way back, too', await page.evaluate('[shown.tab, shown.selection.begin]'), ['timeline', first.beginNs]);
const details = await page.textContent('#details');
is('which says its trace and span', [details.includes(first.traceId), details.includes(first.spanId)], [true, true]);
is('nothing is wrong', heard, []);
await browser.close();
