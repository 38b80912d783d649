// page.mjs: the page in a real browser: shows, plays, pauses, resets, drags, steers, colours, records, replays: node page.mjs PLIANT [slow]
import {existsSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {check, finish, openBrowser, source, startView, until} from './browser.mjs';

const pliant = resolve(process.argv[2]);
const work = mkdtempSync(join(tmpdir(), 'pliant-page-'));
const browser = await openBrowser(0.4);
const scene = name => join(source, `scenes/${name}.yaml`);
const errors = [];

async function open(view, hash = '', size = {width: 900, height: 640}) {
  const page = await browser.newPage();
  await page.setViewportSize(size);
  page.on('pageerror', e => errors.push(e.message));
  page.on('console', m => m.type() === 'error' && errors.push(m.text()));
  page.on('request', r => !r.url().startsWith(`http://127.0.0.1:${view.port}`) && !/^(data|blob):/.test(r.url()) && errors.push(`foreign request ${r.url()}`));
  await page.goto(`${view.url}&${hash}`);
  await until(page, 'the first frame arrives', () => !!window.app?.frame);
  return page;
}
const frame = page => page.evaluate(() => ({...app.frame, surf: null, contacts: null, bytes: null, stages: null, poses: null, u: [...app.frame.u]}));
const time = async page => (await frame(page)).time;
const settle = page => page.waitForTimeout(250);
// Waits until some seconds have been simulated, however long that takes.
const simulate = async (page, seconds) => page.waitForFunction(t => app.frame.time >= t, await time(page) + seconds, {polling: 50});

// Where a point of the world is on the screen.
const project = (page, point) => page.evaluate(p => {
  app.stage.camera.updateMatrixWorld();
  const v = app.stage.centre.clone().set(...p).project(app.stage.camera), box = app.stage.canvas.getBoundingClientRect();
  return {x: box.left + (v.x + 1) / 2 * box.width, y: box.top + (1 - v.y) / 2 * box.height};
}, point);
const centre = (page, name) => page.evaluate(n => app.bodies.place(app.bodies.items.find(i => i.name === n)).centre.toArray(), name);
// How many different colours there are around a point.
const colours = (page, at) => page.evaluate(({x, y}) => {
  app.stage.touch();
  app.stage.draw();
  const gl = app.stage.renderer.getContext(), s = app.stage.renderer.getPixelRatio(), n = Math.round(60 * s), pixels = new Uint8Array(4 * n * n);
  gl.readPixels(Math.round(x * s) - n / 2, gl.drawingBufferHeight - Math.round(y * s) - n / 2, n, n, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let r = 0, g = 0, b = 0;
  for (let i = 0; i < pixels.length; i += 4) r += pixels[i], g += pixels[i + 1], b += pixels[i + 2];
  return [r, g, b].map(c => c / (n * n));
}, at);

// ---- a soft block that falls

{
  const view = await startView(pliant, [scene('block'), '--paused'], work);
  const page = await open(view);
  check('it says paused', await page.textContent('#badge') === 'paused');
  check('the tree lists the bodies', (await page.textContent('#tree')).includes('block') && (await page.textContent('#tree')).includes('ground'));
  check('the block is in the picture', await page.evaluate(() => app.bodies.items[0].object.visible));
  const at = await project(page, await centre(page, 'block')), body = await colours(page, at);
  check('in its own colour', body[0] > 1.4 * body[2], String(body.map(Math.round)));
  check('time stands still', await time(page) === 0);

  // play, pause, step, reset, speed
  await page.click('#play');
  await until(page, 'play moves time', () => app.frame.playing && app.frame.time > 0.3);
  check('it says live', await page.textContent('#badge') === 'live');
  await page.keyboard.press('Space');
  await until(page, 'space pauses', () => !app.frame.playing);
  await settle(page);
  const paused = await time(page);
  await settle(page);
  check('and time stands still', await time(page) === paused);
  await page.focus('#view');
  await page.keyboard.press('.');
  await until(page, 'a step is one step', t => Math.abs(app.frame.time - t - 0.01) < 1e-9, paused);
  await page.selectOption('#speed', '0.1');
  await until(page, 'speed is taken over', () => Math.abs(app.frame.speed - 0.1) < 1e-6);
  await page.selectOption('#speed', '1');

  // restart from a point in the past
  await page.evaluate(() => {
    const line = document.getElementById('timeline');
    line.value = 0.15;
    line.dispatchEvent(new Event('input'));
  });
  await until(page, 'the past can be had back', () => app.frame.time > 0 && app.frame.time <= 0.15 + 1e-9);
  const past = await time(page);
  await page.evaluate(() => app.link.send('play'));
  await until(page, 'and the simulation goes on from there', t => app.frame.time > t + 0.1, past);
  await page.evaluate(() => app.link.send('pause'));
  await page.click('[aria-label^="Back to the start"]');
  await until(page, 'reset goes to the start', () => app.frame.time === 0 && !app.frame.playing);

  // let it come to rest, then drag it
  await page.evaluate(() => app.link.send('play'));
  await until(page, 'it comes to rest', () => app.frame.time > 1.5);
  const before = await centre(page, 'block'), from = await project(page, before);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 220, {steps: 4});
  await until(page, 'the spring is shown', () => app.frame.grabbed && app.contacts.knob.visible && Math.hypot(...app.frame.force) > 0.1);
  await until(page, 'the drag lifts the block', z => app.bodies.place(app.bodies.items[0]).centre.z > z + 0.04, before[2]);
  await page.mouse.up();
  await until(page, 'letting go lets go', () => !app.frame.grabbed);
  await until(page, 'and it falls back', z => app.bodies.place(app.bodies.items[0]).centre.z < z + 0.03, before[2]);
  // the same without a mouse
  await page.evaluate(() => app.select(app.bodies.items[0]));
  await page.focus('#view');
  await page.keyboard.press('d');
  for (let i = 0; i < 40; i++) await page.keyboard.press('PageUp');
  await until(page, 'the keyboard lifts it too', z => app.bodies.place(app.bodies.items[0]).centre.z > z + 0.02, before[2]);
  await page.keyboard.press('Escape');
  await until(page, 'Escape lets go', () => !app.frame.grabbed);

  // colours and legends
  for (const [name, title] of [['displacement', 'Displacement / '], ['strain', 'Largest strain'], ['von_mises', 'Von Mises stress / '], ['pressure', 'Pressure / ']]) {
    await page.selectOption('#colour', name);
    await until(page, `${name} has a legend`, t => {
      const legend = document.querySelector('.legend');
      return !legend.hidden && legend.querySelector('.legend-title').textContent.startsWith(t) && legend.querySelectorAll('.legend-marks span').length >= 2;
    }, title);
  }
  const painted = await colours(page, await project(page, await centre(page, 'block')));
  check('the colours change', Math.abs(painted[0] - body[0]) + Math.abs(painted[2] - body[2]) > 20, String(painted.map(Math.round)));
  await page.selectOption('#colour', 'body');
  await until(page, 'and the legend goes', () => document.querySelector('.legend').hidden);

  // contacts, plots, visibility, themes
  await page.evaluate(() => app.flip('forces'));
  await until(page, 'contact forces are arrows', () => app.frame.ncontact > 3 && app.contacts.normals.n > 3);
  await page.evaluate(() => app.flip('patches'));
  await until(page, 'contact patches are discs', () => app.contacts.discs.count === app.frame.ncontact);
  await page.click('#tab-plots');
  await until(page, 'plots fill', () => document.querySelectorAll('#plots canvas').length === 5 && app.plots.holders[0].data[0].length > 10);
  await page.uncheck('[aria-label="Show block"]');
  check('bodies can be hidden', !await page.evaluate(() => app.bodies.items[0].object.visible));
  const light = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.click('[aria-label="Light or dark"]');
  check('the theme changes', await page.evaluate(() => document.documentElement.dataset.theme) !== light);
  await page.keyboard.press('?');
  check('the keys are told', await page.isVisible('dialog.help'));
  await page.keyboard.press('Escape');

  // record and save
  await page.click('#record');
  await until(page, 'it records', () => app.frame.recording && app.frame.recorded > 20);
  // (the message with its link goes by itself: it is clicked as soon as a mouse could reach it)
  const coming = page.waitForEvent('download');
  await page.click('#record');
  await until(page, 'the recording can be downloaded', () => {
    const link = [...document.querySelectorAll('.toast a')].find(a => a.download.endsWith('.plrec')), box = link?.getBoundingClientRect();
    const reached = link && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === link;
    if (reached) link.click();
    return reached;
  });
  const download = await coming;
  const file = readdirSync(work).find(f => f.endsWith('.plrec'));
  check('and is the file', statSync(await download.path()).size === statSync(join(work, file)).size);
  await page.click('#save');
  await until(page, 'the state can be saved', () => [...document.querySelectorAll('.toast a')].some(a => a.download.endsWith('.state')));
  const [shot] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => app.takePicture())]);
  check('a picture is a PNG file', shot.suggestedFilename().endsWith('.png') && statSync(await shot.path()).size > 5000);
  await page.evaluate(() => {
    app.toggleVideo();
    window.filmed = 0;
    app.video.recorder.addEventListener('dataavailable', e => window.filmed += e.data.size);
  });
  await until(page, 'a video is filmed', () => window.filmed > 1000);
  const [video] = await Promise.all([page.waitForEvent('download'), page.evaluate(() => app.toggleVideo())]);
  const bytes = statSync(await video.path()).size;
  check('a video is a file', /\.(webm|mp4)$/.test(video.suggestedFilename()) && bytes > 1000, `(${video.suggestedFilename()}, ${bytes} bytes)`);

  // a second page sees the same; a page that is closed releases what it held
  const second = await open(view);
  await second.evaluate(() => app.link.send('grab', 0, 0, 0, 0, 0.2));
  await until(page, 'both pages see a grab', () => app.frame.grabbed);
  await second.close();
  await until(page, 'a page that is closed lets go', () => !app.frame.grabbed);

  // a phone
  const phone = await open(view, '', {width: 390, height: 760});
  const overflow = await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll('.bar, .transport, .transport button')].some(e => {
    const b = e.getBoundingClientRect();
    return b.left < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1;
  }));
  check('everything fits on a phone', !overflow);
  await phone.click('[aria-label^="Settings"]');
  check('panels open there', await phone.isVisible('#side') && !await phone.isVisible('#tree'));
  await phone.close();
  await page.close();
  check('the program ends well', await view.stop() === 0);

  // ---- the recording, replayed
  const replay = await startView(pliant, [join(work, file), '--paused'], work);
  const film = await open(replay);
  check('it says replay', await film.textContent('#badge') === 'replay');
  const info = await frame(film);
  check('the whole recording is there', info.count > 20 && info.end > info.begin);
  const seek = async t => {
    await film.evaluate(x => {
      const line = document.getElementById('timeline');
      line.value = x;
      line.dispatchEvent(new Event('input'));
    }, t);
    return until(film, 'replay seeks', x => Math.abs(app.frame.time - x) < 0.03, t);
  };
  await seek(info.begin + 0.7 * (info.end - info.begin));
  await seek(info.begin + 0.2 * (info.end - info.begin));
  await film.click('#play');
  await until(film, 'and plays to its end', () => !app.frame.playing && Math.abs(app.frame.time - app.frame.end) < 1e-6);
  check('nothing can be dragged there', await film.evaluate(() => !app.touch.enabled));
  await film.close();
  await replay.stop();
}

// ---- a robot, steered

{
  const view = await startView(pliant, [scene('allegro_teleop')], work);
  const page = await browser.newPage();
  await page.addInitScript(() => {
    window.pad = {id: 'scripted pad', axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({value: 0, pressed: false})), connected: true};
    navigator.getGamepads = () => [window.pad, null, null, null];
    // Some steps for each frame that was shown: a page that lags behind does not let the robot go too far.
    window.walk = (reached, steps) => {
      if (!reached && app.frame !== window.walked) app.link.send('step', steps), window.walked = app.frame;
      return reached;
    };
    window.hold = (button, reached, steps) => {
      window.pad.buttons[button].value = reached ? 0 : 1;
      return walk(reached, steps);
    };
  });
  await page.setViewportSize({width: 900, height: 640});
  page.on('pageerror', e => errors.push(e.message));
  await page.goto(`${view.url}&tab=teleop`);
  await until(page, 'the robot appears', () => window.app?.frame && app.scene.bodies.length > 20 && app.groups !== null);
  await until(page, 'an end effector was found', () => app.scene.bodies[app.frame.effector]?.name === 'hand/palm_link');
  await simulate(page, 0.4);
  const palm = () => page.evaluate(() => [...app.frame.poses.subarray(7 * app.frame.effector, 7 * app.frame.effector + 7)]);
  const start = await palm();
  await page.evaluate(() => window.pad.buttons[7].value = 1);
  await until(page, 'the scripted gamepad lifts the hand', z => app.frame.poses[7 * app.frame.effector + 2] > z + 0.05, start[2]);
  await page.evaluate(() => window.pad.buttons[7].value = 0);
  await simulate(page, 0.7);
  const lifted = await palm();
  check('straight up', Math.hypot(lifted[0] - start[0], lifted[1] - start[1]) < 0.02, `${start.slice(0, 3)} -> ${lifted.slice(0, 3)}`);
  check('without turning', Math.abs(lifted[3] * start[3] + lifted[4] * start[4] + lifted[5] * start[5] + lifted[6] * start[6]) > 0.999);
  // down to the ball, close, up again: the ball comes along (from any height between 0.30 and 0.33 m: test_touch.c)
  const rest = async () => page.waitForFunction(t => walk(app.frame.time >= t, 24), await time(page) + 0.7, {polling: 50});
  const ballHeight = () => page.evaluate(() => app.bodies.place(app.bodies.items[0]).centre.z);
  const low = await ballHeight();
  await until(page, 'the hand goes down', () => hold(6, app.frame.poses[7 * app.frame.effector + 2] < 0.328, 8));
  await until(page, 'it closes the hand', () => hold(0, app.frame.grip > 0.99, 24));
  await rest();
  await until(page, 'it goes up again', () => hold(7, app.frame.poses[7 * app.frame.effector + 2] > 0.45, 24));
  await rest();
  check('with the ball', await ballHeight() > low + 0.08, `(from ${low.toFixed(3)} to ${(await ballHeight()).toFixed(3)} m)`);
  await page.evaluate(() => app.link.send('play'));
  if (process.argv[3] !== 'slow') await until(page, 'in real time with the page open', () => app.frame.playing && app.frame.capacity > 1);
  await page.focus('#view');
  await page.keyboard.press('t');
  const side = (await palm())[1];
  await page.keyboard.down('KeyS');
  await until(page, 'keys move it', y => Math.abs(app.frame.poses[7 * app.frame.effector + 1] - y) > 0.02, side);
  await page.keyboard.up('KeyS');
  await page.keyboard.press('t');

  await page.click('#tab-actuators');
  const sliders = await page.locator('#actuators input[type=range]').count();
  check('every actuator has a slider', sliders === await page.evaluate(() => app.scene.actuators.length) && sliders > 20);
  await page.evaluate(() => {
    const slider = document.querySelector('#actuators input[type=range]');
    slider.value = 0.3;
    slider.dispatchEvent(new Event('input'));
  });
  await until(page, 'a slider moves its joint', () => Math.abs(app.frame.u[app.scene.actuators[0].u] - 0.3) < 0.02 && Math.abs(app.frame.actuated[0] - 0.3) < 0.1);
  await page.close();
  await view.stop();
}

check('no errors, nothing from elsewhere', errors.length === 0, errors.join('; ').slice(0, 500));
await browser.close();
rmSync(work, {recursive: true, force: true});
check('nothing is left behind', !existsSync(work));
finish('viewer.page');
