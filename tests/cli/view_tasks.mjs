// node view_tasks.mjs PLAYWRIGHT CHROMIUM PAGE TASKS: opens PAGE, of the job that x_tasks.c makes, in a browser that nobody sees:
// its table of tasks equals TASKS (the JSON of `jweave report --by-task`), and a task leads to its call in the timeline. TAP
// without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { followed, is, launch, show } from './browser.mjs';

const [playwright, executablePath, page_, tasks_] = process.argv.slice(2);
const report = JSON.parse(readFileSync(tasks_, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];
const page = await show(browser, heard, pathToFileURL(page_).href);
await page.evaluate('document.querySelectorAll("#overview .more button, .more button").forEach(b => b.click())');
const rows = await page.$$eval('#tasks tbody tr', list => list.map(row => [row.cells[2].querySelector('.link').textContent, row.cells[2].querySelector('small').textContent,
	Number(row.cells[0].querySelector('[data-ns]').dataset.ns), Number(row.cells[1].querySelector('[data-ns]').dataset.ns), row.cells[5].textContent.replace(/:.*\(/, ' (')]));
is('tasks, stragglers first, as the report has them', rows.map(r => [r[0], r[2], r[3]]),
	report.tasks.map(t => [`task ${t.task}`, t.straggler ? t.ns - t.medianNs : 0, t.ns]));
is('where they were', [rows[0][1], rows.at(-1)[1]], ['stage 0 · executor 0 · node1', 'stage 1 · executor 1 · node2 · did not end']);
is('why they took longer', rows.slice(0, 4).map(r => r[4]), ['skew (100 %)', 'lock (100 %)', 'garbage collection (100 %)', '']);
const chosen = await followed(page, '#tasks tbody tr:nth-child(2) .link');
is('a click leads to its call in the timeline', chosen, { tab: 'timeline', row: report.tasks[1].row, track: 1, begin: report.tasks[1].beginNs });
is('nothing is wrong', heard, []);
await browser.close();
