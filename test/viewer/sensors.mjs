// sensors.mjs: sensors on the page: panes of cameras, taxels and markers, numbers, plots; live and from a recording: node sensors.mjs PLIANT [slow]
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {check, finish, openBrowser, source, startView, until} from './browser.mjs';

const pliant = resolve(process.argv[2]);
const work = mkdtempSync(join(tmpdir(), 'pliant-sensors-'));
const browser = await openBrowser(0.4);
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
// Up to a time, in strides of at most 3 steps: every stride is drawn, and drawing takes longest.
async function simulate(page, time) {
  await page.waitForFunction(t => {
    const frame = app.frame, before = window.seen;
    if (frame.time >= t - 1e-9) return true;
    if (frame === before) return false;
    if (before && frame.time > before.time) window.step = (frame.time - before.time) / window.stride;
    window.stride = window.step ? Math.max(1, Math.min(3, Math.round((t - frame.time) / window.step))) : 1;
    window.seen = frame, app.link.send('step', window.stride);
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
  // three cameras that look down at a red box on green ground, live and from a recording: each pane shows what was read, pixel by pixel
  const camera = (name, kind) => `  - {name: ${name}, kind: ${kind}, on: world, pose: {position: [0, 0, 1], rpy: [3.141592653589793, 0, 0]}, width: 40, height: 30, far: 5}\n`;
  writeFileSync(join(work, 'cameras.yaml'), `pliant: 1
options: {dt: 0.01}
bodies:
  - {name: box, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [0, 0, 0.05]}}
shapes:
  - {name: ground, shape: half_space, colour: [0.1, 0.8, 0.1]}
  - {name: red, body: box, shape: box, size: [0.3, 0.3, 0.1], colour: [0.9, 0.1, 0.1]}
sensors:
${camera('eye', 'rgb')}${camera('what', 'segmentation')}${camera('far', 'depth')}`);
  const run = spawnSync(pliant, ['run', 'cameras.yaml', '--until', '0.05', '--record', 'cameras.plrec', '--quiet'], {cwd: work, encoding: 'utf8'});
  check('a recording of cameras is made', run.status === 0, run.stderr);
  for (const file of ['cameras.yaml', 'cameras.plrec']) {
    const view = await startView(pliant, [file, '--paused'], work);
    const page = await open(view, 'tab=sensors');
    check(`${file}: three panes`, await page.evaluate(() => document.querySelectorAll('#sensors canvas').length) === 3);
    await until(page, `${file}: the pictures are shown`, () => app.frame.readings.every(r => r !== null) && document.querySelectorAll('#sensors [data-shown]').length === 3);
    const seen = await page.evaluate(() => ['eye', 'what'].map((name, k) => {
      const canvas = document.querySelector(`#sensors canvas[aria-label^="${name} "]`), d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      return {width: canvas.width, height: canvas.height, data: Array.from(d), reading: Array.from(app.frame.readings[k])};
    }));
    const at = (x, y) => 40 * y + x, [eye, what] = seen, box = at(20, 15), ground = at(2, 2), pixel = (s, i) => s.data.slice(4 * i, 4 * i + 3);
    check(`${file}: the panes have the cameras' pixels`, seen.every(s => s.width === 40 && s.height === 30));
    check(`${file}: the colour pane shows every pixel as it was read`, eye.reading.length === 3600 && eye.reading.every((v, i) => v === eye.data[4 * Math.floor(i / 3) + i % 3]));
    check(`${file}: the box is red, the ground green`, pixel(eye, box)[0] > 2 * pixel(eye, box)[1] && pixel(eye, ground)[1] > 2 * pixel(eye, ground)[0], `${pixel(eye, box)} ${pixel(eye, ground)}`);
    // 0.3 m seen from 0.9 m with a focal length of 32 pixels: 10.67 pixels wide
    const shown = what.reading.filter(v => v === 1).length;
    check(`${file}: the segmentation says box and ground`, what.reading[box] === 1 && what.reading[ground] === 0 && shown >= 100 && shown <= 121, `${what.reading[box]} ${what.reading[ground]} ${shown}`);
    // one colour for each object, and no object has another's
    const colours = new Map();
    what.reading.forEach((v, i) => colours.set(v, (colours.get(v) ?? new Set()).add(String(pixel(what, i)))));
    check(`${file}: one colour for each object`, colours.size === 2 && [...colours.values()].every(c => c.size === 1) && new Set([...colours.values()].map(c => [...c][0])).size === 2);
    await shot(page, `cameras_${file.endsWith('yaml') ? 'live' : 'replay'}`);
    await page.close();
    await view.stop();
  }
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
