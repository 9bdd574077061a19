// node view_use.mjs PLAYWRIGHT CHROMIUM FOLDER REPORT: what the pages in FOLDER (view_use.sh) do when one uses them: scrolling, links, the address, a
// filter, keys, touch, printing. REPORT: the JSON of `jweave report` of use.html. TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show } from './browser.mjs';

const [playwright, executablePath, folder, report_] = process.argv.slice(2);
const report = JSON.parse(readFileSync(report_, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];
const open = (name, hash = '', options = {}) => show(browser, heard, pathToFileURL(`${folder}/${name}.html`).href + hash, options);
const settled = page => page.waitForTimeout(450);
const spaces = text => text.replace(/\s+/g, ' ').trim();

// ---- scrolling ----
let page = await open('use');
for (const tab of await page.evaluate('TABS.map(tab => tab.id)')) {
	await page.evaluate(`openTab('${tab}')`);
	await settled(page);
	await page.mouse.move(600, 500);
	await page.mouse.wheel(0, 9000);
	await settled(page);
	is(`${tab}: nothing scrolls but what is below the head`, await page.evaluate('[scrollY, document.documentElement.scrollHeight <= innerHeight]'), [0, true]);
}
await page.close();

// ---- what is not all of the run ----
const noticed = async name => {
	const some = await open(name);
	const said = await some.evaluate('[document.title, ...[...document.querySelectorAll(".notices li")].map(li => li.textContent.trim())]');
	await some.close();
	return said.filter(text => !/nested deeper/.test(text));
};
is('a part of a run says so, and which', await noticed('part'), ['part of use — jweave', 'This page shows a part of the run, and all figures are of that part: --thread=pool-* --min-duration=1us --max-depth=5']);
is('all of it says nothing', await noticed('use'), ['use — jweave']);
is('a program that was killed', (await noticed('killed'))[1], 'The program did not end normally, or is still running: what is shown ends where it was last seen.');
is('one of two', (await noticed('both'))[1], '1 of 2 processes did not end normally, or is still running: what is shown ends where it was last seen.');

is('no error, and nothing was asked of a network', heard, []);
plan();
await browser.close();
