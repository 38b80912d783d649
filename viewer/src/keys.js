// keys.js: what the keyboard does, and the page that tells it.
import {h} from './dom.js';

const groups = [
  ['Simulation', [['Space', 'play or pause'], ['.', 'one step'], [',', 'one step back'], ['R', 'back to the start'], ['X', 'record, or stop recording'], ['P', 'picture']]],
  ['Camera', [['drag', 'turn'], ['right drag', 'move'], ['wheel', 'zoom'], ['arrows', 'turn'], ['+ −', 'zoom'], ['1 2 3 4', 'corner, front, side, top'], ['F', 'look at the selected body'], ['A', 'look at everything']]],
  ['Look', [['C', 'next colours'], ['N', 'contact forces'], ['K', 'contact patches'], ['M', 'mesh edges'], ['B', 'frames'], ['G', 'floor'], ['[ ]', 'panels'], ['?', 'this page']]],
  ['Touch', [['drag a body', 'pull it with a spring'], ['D', 'pull the selected body; arrows, PgUp, PgDn move the hand; D or Esc lets go'], ['Tab', 'next body or control']]],
  ['Steer a robot (T)', [['W A S D', 'forward, left, back, right'], ['Q E', 'down, up'], ['I K  J L  U O', 'pitch, yaw, roll'], ['C V', 'close, open the hand'], ['gamepad', 'sticks, triggers, A, B; Start plays or pauses']]],
];

export function helpDialog() {
  const dialog = h('dialog', {class: 'help', 'aria-label': 'Keys'}, h('div', {class: 'line'}, h('h2', {}, 'Keys'), h('button', {type: 'button', class: 'small', onclick: () => dialog.close()}, 'Close')),
    h('div', {class: 'help-columns'}, groups.map(([title, list]) => h('section', {}, h('h3', {}, title),
      h('dl', {}, list.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)]))))));
  return dialog;
}

const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

// Arrow keys: the hand, if it holds something; else the camera.
function turn(app, event) {
  const [x, y] = arrows[event.key];
  if (app.touch.byKeys) app.touch.nudge(x, y, 0);
  else app.stage.orbit(0.09 * x, 0.07 * y, 1);
}

const actions = {
  ' ': app => app.transport.toggle(),
  '.': app => app.link.send('step', 1),
  ',': app => app.transport.stepBack(),
  r: app => app.link.send('reset'),
  x: app => app.transport.record.click(),
  p: app => app.takePicture(),
  c: app => app.nextField(),
  n: app => app.flip('forces'),
  k: app => app.flip('patches'),
  m: app => app.flip('wireframe'),
  b: app => app.flip('frames'),
  g: app => app.flip('floor'),
  f: app => app.focus(app.bodies?.selected),
  a: app => app.stage.look('iso'),
  1: app => app.stage.look('iso'),
  2: app => app.stage.look('front'),
  3: app => app.stage.look('side'),
  4: app => app.stage.look('top'),
  '+': app => app.stage.orbit(0, 0, 0.88),
  '=': app => app.stage.orbit(0, 0, 0.88),
  '-': app => app.stage.orbit(0, 0, 1.14),
  '[': app => app.showPanel('tree'),
  ']': app => app.showPanel('side'),
  t: app => app.teleop.setOn(!app.teleop.on),
  d: app => app.touch.toggleByKeys(),
  '?': app => app.help.showModal(),
};

export function listen(app) {
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || app.help.open) return;
    const typing = event.target.matches?.('input:not([type=checkbox]), select, textarea');
    if (typing && (event.target.type !== 'range' || event.key in arrows)) return;
    if (app.teleop.key(event, true)) return event.preventDefault();
    if (event.key === 'Escape' && app.touch.byKeys) return app.touch.release();
    if (app.touch.byKeys && (event.key === 'PageUp' || event.key === 'PageDown')) {
      app.touch.nudge(0, 0, event.key === 'PageUp' ? 1 : -1);
      return event.preventDefault();
    }
    if (event.key in arrows) {
      if (event.target.closest('.tabs')) return;
      turn(app, event);
      return event.preventDefault();
    }
    // a focused button or box keeps its own space bar
    if (event.key === ' ' && event.target.matches?.('button, input, summary, a')) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.repeat && event.key === ' ') return;
    action(app);
    event.preventDefault();
  });
  addEventListener('keyup', event => app.teleop.key(event, false));
}
