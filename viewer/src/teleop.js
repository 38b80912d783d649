// teleop.js: an end effector steered by keys, a gamepad or buttons: a twist in the world, sent thirty times a second while it lasts.
import {Vector3} from 'three';
import {check, h} from './dom.js';

// Each key is a unit of: right, forward, up, roll, pitch, yaw, grip.
const keys = {
  KeyD: [0, 1], KeyA: [0, -1], KeyW: [1, 1], KeyS: [1, -1], KeyE: [2, 1], KeyQ: [2, -1],
  KeyO: [3, 1], KeyU: [3, -1], KeyI: [4, 1], KeyK: [4, -1], KeyJ: [5, 1], KeyL: [5, -1], KeyC: [6, 1], KeyV: [6, -1],
};
const pads = [['KeyQ', 'down', 'Q'], ['KeyW', 'forward', 'W'], ['KeyE', 'up', 'E'], ['KeyA', 'left', 'A'], ['KeyS', 'back', 'S'], ['KeyD', 'right', 'D'],
  ['KeyU', 'roll −', 'U'], ['KeyI', 'pitch +', 'I'], ['KeyO', 'roll +', 'O'], ['KeyJ', 'yaw +', 'J'], ['KeyK', 'pitch −', 'K'], ['KeyL', 'yaw −', 'L']];

const curve = x => Math.abs(x) < 0.12 ? 0 : Math.sign(x) * ((Math.abs(x) - 0.12) / 0.88) ** 2;

export class Teleop {
  constructor(link, stage) {
    this.link = link;
    this.stage = stage;
    this.on = false;
    this.held = new Set();
    this.sent = 0;
    this.idle = true;
    this.enable = check('Steer with the keyboard', false, on => this.setOn(on), 'Key: T');
    this.body = h('select', {id: 'effector', onchange: () => link.send('effector', Number(this.body.value))});
    this.speed = h('input', {type: 'range', id: 'teleop-speed', min: 0.02, max: 0.6, step: 0.01, value: 0.2, 'aria-label': 'Speed (m/s)'});
    this.pad = h('output', {class: 'note'}, 'No gamepad: press one of its buttons to connect it.');
    this.grip = h('meter', {min: 0, max: 1, value: 0, 'aria-label': 'Grip'});
    const hold = (code, text, key) => {
      const b = h('button', {type: 'button', class: 'hold', title: `Hold (key ${key})`}, text, h('kbd', {}, key));
      b.addEventListener('pointerdown', () => this.held.add(code));
      for (const kind of ['pointerup', 'pointerleave', 'pointercancel']) b.addEventListener(kind, () => this.held.delete(code));
      return b;
    };
    this.element = h('div', {class: 'stack', id: 'teleop'}, this.enable,
      h('label', {class: 'field'}, h('span', {}, 'End effector'), this.body),
      h('label', {class: 'field'}, h('span', {}, 'Speed'), this.speed),
      h('div', {class: 'pads'}, pads.map(p => hold(...p))),
      h('fieldset', {}, h('legend', {}, 'Hand'), h('div', {class: 'buttons wide'}, hold('KeyV', 'open', 'V'), hold('KeyC', 'close', 'C')), this.grip),
      this.pad);
    addEventListener('blur', () => this.held.clear());
  }

  build(scene) {
    const steerable = scene.bodies.map((b, i) => [b, i]).filter(([b]) => !b.fixed);
    this.body.replaceChildren(...steerable.map(([b, i]) => h('option', {value: i}, b.name)));
    this.available = scene.actuators.some(a => (a.kind === 'position' || a.kind === 'pd') && !a.table);
  }

  setOn(on) {
    this.on = on && this.available;
    this.enable.querySelector('input').checked = this.on;
    this.held.clear();
    document.body.classList.toggle('steering', this.on);
  }

  // True if the key was for the robot.
  key(event, down) {
    if (!this.on || !keys[event.code] || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (down) this.held.add(event.code);
    else this.held.delete(event.code);
    return true;
  }

  readPad(axis) {
    const pad = [...(navigator.getGamepads?.() ?? [])].find(p => p);
    if (!pad) return;
    const value = i => pad.buttons[i]?.value ?? 0;
    axis[0] += curve(pad.axes[0] ?? 0);
    axis[1] -= curve(pad.axes[1] ?? 0);
    axis[2] += value(7) - value(6);
    axis[3] += value(5) - value(4);
    axis[4] -= curve(pad.axes[3] ?? 0);
    axis[5] -= curve(pad.axes[2] ?? 0);
    axis[6] += value(0) - value(1);
    const start = value(9) > 0.5;
    if (start && !this.startHeld) this.onplay?.();
    this.startHeld = start;
    const text = `Gamepad: ${pad.id.slice(0, 48)}. Sticks move and turn, triggers lift, A closes, B opens.`;
    if (this.pad.textContent !== text) this.pad.textContent = text;
  }

  // Directions are those of the screen: right and forward as the camera sees the floor.
  tick() {
    if (!this.available) return;
    const axis = [0, 0, 0, 0, 0, 0, 0];
    for (const code of this.held) axis[keys[code][0]] += keys[code][1];
    this.readPad(axis);
    const idle = axis.every(x => x === 0), now = performance.now();
    if ((idle && this.idle) || (!idle && now - this.sent < 33)) return;
    this.idle = idle;
    this.sent = now;
    const forward = this.stage.camera.getWorldDirection(new Vector3()).setZ(0).normalize(), right = new Vector3().crossVectors(forward, new Vector3(0, 0, 1));
    const v = Number(this.speed.value), w = 4 * v;
    const move = right.clone().multiplyScalar(v * axis[0]).addScaledVector(forward, v * axis[1]);
    const turn = forward.clone().multiplyScalar(w * axis[3]).addScaledVector(right, w * axis[4]);
    this.link.send('teleop', move.x, move.y, v * axis[2], turn.x, turn.y, w * axis[5], 1.2 * axis[6]);
  }

  show(frame) {
    this.grip.value = frame.grip;
    if (document.activeElement !== this.body && frame.effector >= 0) this.body.value = String(frame.effector);
  }
}
