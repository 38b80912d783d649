// pictures.mjs: makes the pictures of docs/images again: node pictures.mjs PLIANT FOLDER [NAME ...]
import {mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {openBrowser, source, startView} from './browser.mjs';

const [pliant, folder, ...only] = process.argv.slice(2);
// name, scene, simulated time, options in the address, what to do before
const pictures = [
  ['viewer_demo', 'demo', 0.7, 'colour=displacement&show=forces'],
  ['viewer_allegro', 'allegro_teleop', 0.3, 'tab=teleop', 'app.stage.focus(app.stage.centre.clone().set(0.55, 0, 0.42), 0.45)'],
  ['allegro', 'allegro', 2.6, 'panels=0', 'app.stage.focus(app.stage.centre.clone().set(0.5, 0, 0.4), 0.5)'],
  ['arch_mu05', 'arch_mu05', 0.4, 'panels=0&show=forces&camera=front'],
  ['arm', 'arm', 1, 'panels=0&show=frames'],
  ['block', 'block', 0.25, 'panels=0&colour=speed&show=wireframe'],
  ['cantilever', 'cantilever', 0.3, 'panels=0&colour=von_mises&show=wireframe'],
  ['spin', 'spin', 0.5, 'panels=0&colour=strain'],
  ['stack', 'stack', 0.3, 'panels=0&colour=pressure&show=forces'],
  ['stretch', 'stretch', 1.1, 'panels=0&colour=strain&show=wireframe'],
];

mkdirSync(folder, {recursive: true});
const browser = await openBrowser();
for (const [name, scene, time, hash, prepare, size] of pictures.filter(p => !only.length || only.includes(p[0]))) {
  const view = await startView(resolve(pliant), [join(source, `scenes/${scene}.yaml`), '--paused', '--speed', '0'], tmpdir());
  const page = await browser.newPage();
  await page.setViewportSize(size ?? (hash.includes('panels=0') ? {width: 960, height: 600} : {width: 1280, height: 800}));
  await page.goto(`${view.url}&${hash}`);
  await page.waitForFunction(() => window.app?.frame && app.bodies, null, {timeout: 60000});
  // step by step up to the time, so that plots have points and the picture is the same every time
  const end = performance.now() + 100e3;
  while (performance.now() < end) {
    const left = await page.evaluate(t => Math.round((t - app.frame.time) / app.scene.dt), time);
    if (left <= 0 || await page.evaluate(() => app.frame.failed)) break;
    const n = Math.min(left, 4), now = await page.evaluate(k => (app.link.send('step', k), app.frame.time), n);
    await page.waitForFunction(([t, d]) => app.frame.time > t + d || app.frame.failed, [now, await page.evaluate(k => (k - 0.5) * app.scene.dt, n)], {timeout: 60000});
  }
  if (prepare) await page.evaluate(prepare);
  await page.evaluate(() => (app.bodies.scale.reset(), app.bodies.colour(app.frame), app.legend.show(app.field, app.bodies.range ?? {}), app.stage.touch()));
  await page.waitForTimeout(900);
  await page.screenshot({path: join(folder, `${name}.png`)});
  console.log(name, await page.evaluate(() => `t = ${app.frame.time.toFixed(3)} s, ${app.frame.ncontact} contacts${app.frame.failed ? ', FAILED' : ''}`));
  await page.close();
  await view.stop();
}
await browser.close();
