// sensors.mjs: sensors on the page: panes of cameras, taxels and markers, numbers, plots; live and from a recording: node sensors.mjs PLIANT [slow]
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {check, finish, openBrowser, source, startView, until} from './browser.mjs';

const pliant = resolve(process.argv[2]);
const work = mkdtempSync(join(tmpdir(), 'pliant-sensors-'));
const browser = await openBrowser();
const scene = name => join(source, `scenes/${name}.yaml`);
const errors = [];

async function open(view, hash) {
  const page = await browser.newPage();
  await page.setViewportSize({width: 1280, height: 860});
  page.on('pageerror', e => errors.push(e.message));
  page.on('console', m => m.type() === 'error' && errors.push(m.text()));
  await page.goto(`${view.url}&${hash}`);
  await until(page, 'the first frame arrives', () => !!window.app?.frame);
  return page;
}
// Step by step up to a time.
async function simulate(page, time) {
  await page.waitForFunction(t => {
    if (app.frame.time >= t - 1e-9) return true;
    if (app.frame !== window.seen) window.seen = app.frame, app.link.send('step', 1);
    return false;
  }, time, {polling: 20, timeout: 120000});
}
// How different the colours of a pane are: the largest spread of a channel.
const contrast = (page, name) => page.evaluate(n => {
  const canvas = document.querySelector(`#sensors canvas[aria-label^="${n} "]`), d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let low = 255, high = 0;
  for (let i = 0; i < d.length; i += 4) low = Math.min(low, d[i + 1]), high = Math.max(high, d[i + 1]);
  return high - low;
}, name);
const shot = (page, name) => process.env.PLIANT_SHOTS && page.screenshot({path: join(process.env.PLIANT_SHOTS, `${name}.png`)});

// What the page has in a frame is what the contacts do: the taxels' normal forces add up to the contacts'.
const taxelsAgree = (page, id, side) => page.evaluate(([i, s]) => {
  const r = app.frame.readings[i], f = app.frame;
  let sum = 0, pushed = 0;
  for (let k = 0; k < r.length; k += 6) sum += r[k];
  for (let k = 0; k < f.ncontact; k++) {
    const a = f.sides[16 * k + 14], b = f.sides[16 * k + 15] >> 1;
    if (a === s || b === s) pushed += Math.abs(f.contacts[16 * k + 8]);
  }
  return {sum, pushed};
}, [id, side]);

{
  const view = await startView(pliant, [scene('gel_touch'), '--paused', '--speed', '0'], work);
  const page = await open(view, 'tab=sensors');
  check('there is a tab for sensors', await page.isVisible('#tab-sensors'));
  check('one pane each for markers and taxels', await page.evaluate(() => document.querySelectorAll('#sensors canvas').length) === 2);
  await simulate(page, 0.36);
  await until(page, 'large readings arrive', () => app.frame.readings[1] !== null);
  const {sum, pushed} = await taxelsAgree(page, 1, 0);
  check('taxels add up to the contact force', sum > 0.1 && Math.abs(sum - pushed) < 1e-4 * pushed, `${sum} and ${pushed} N`);
  await page.waitForTimeout(300);
  check('the heat map shows the contact', await contrast(page, 'skin') > 60, String(await contrast(page, 'skin')));
  check('markers are drawn', await contrast(page, 'dots') > 60);
  check('the wrench is there in numbers', (await page.textContent('#sensors')).includes('wrist'));
  await shot(page, 'gel_touch');
  await page.click('#tab-plots');
  await until(page, 'the wrench is among the plots', () => document.querySelector('#plot-sensor-2 canvas') && app.plots.holders.find(c => c.id === 'sensor-2').data[1].length > 10);
  await until(page, 'large readings are not sent to who does not look', () => {
    if (app.frame !== window.seen) window.seen = app.frame, app.link.send('step', 1);
    return app.frame.readings[1] === null && app.frame.readings[2] !== null;
  });
  await shot(page, 'gel_touch_plots');
  await page.close();
  await view.stop();
}

{
  // readings are part of a recording
  const run = spawnSync(pliant, ['run', scene('bubble_touch'), '--until', '0.2', '--record', 'touch.plrec', '--quiet'], {cwd: work, encoding: 'utf8'});
  check('a recording is made', run.status === 0, run.stderr);
  const view = await startView(pliant, ['touch.plrec', '--paused'], work);
  const page = await open(view, 'tab=sensors');
  check('three cameras, three sets of markers, three grids', await page.evaluate(() => document.querySelectorAll('#sensors canvas').length) === 9);
  await page.evaluate(() => app.link.send('seek', app.frame.end));
  await until(page, 'its end is shown', () => app.frame.time > 0.19 && app.frame.readings[0] !== null);
  await page.waitForTimeout(300);
  check('the camera inside the bubble sees distances', await contrast(page, 'inside1') > 60);
  const {sum, pushed} = await taxelsAgree(page, 2, await page.evaluate(() => app.scene.deformables.findIndex(d => d.name === 'bubble1')));
  check('recorded taxels agree with recorded contacts', pushed === 0 ? sum === 0 : Math.abs(sum) > 0, `${sum} and ${pushed} N`);
  await shot(page, 'bubble_touch');
  await page.close();
  await view.stop();
}

{
  // a scene without sensors
  const view = await startView(pliant, [scene('block'), '--paused'], work);
  const page = await open(view, '');
  check('no sensors, no tab', !(await page.isVisible('#tab-sensors')));
  await page.close();
  await view.stop();
}

check('no errors on the page', errors.length === 0, errors.join('; '));
await browser.close();
rmSync(work, {recursive: true, force: true});
finish('viewer.sensors');
