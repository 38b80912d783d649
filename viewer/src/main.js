// main.js: puts the page together: frames come in, are drawn once per picture, and what the user does goes out as orders.
import {Bodies} from './bodies.js';
import {fields, Legend} from './colours.js';
import {Contacts} from './contacts.js';
import {picture, Video} from './capture.js';
import {button, h} from './dom.js';
import {helpDialog, listen} from './keys.js';
import {Link} from './link.js';
import {Actuators, Look, Tabs, Tree} from './panels.js';
import {Plots} from './plots.js';
import {hasPanes, Sensors} from './sensors.js';
import {Axes, Stage} from './stage.js';
import {Teleop} from './teleop.js';
import {Touch} from './touch.js';
import {Transport} from './transport.js';

const options = new URLSearchParams(location.hash.slice(1));
const token = options.get('token');

class App {
  constructor() {
    this.stage = new Stage(document.getElementById('view'));
    this.toasts = h('div', {class: 'toasts', role: 'status', 'aria-live': 'polite'});
    this.link = new Link(token, {scene: s => this.setScene(s), message: m => this.message(m), state: s => this.setState(s)});
    this.contacts = new Contacts(this.stage);
    this.legend = new Legend(on => this.bodies && (this.bodies.scale.held = on));
    this.video = new Video();
    this.transport = new Transport(this.link, {picture: () => this.takePicture(), video: () => this.toggleVideo()});
    this.tree = new Tree({select: i => this.select(i), shown: (i, on) => this.setShown(i, on), focus: i => this.focus(i)});
    this.look = new Look({colour: name => this.setField(name), mode: m => this.bodies?.setMode(m), toggle: (key, on) => this.toggle(key, on), camera: id => this.stage.look(id)});
    this.plots = new Plots();
    this.sensors = new Sensors();
    this.actuators = new Actuators(this.link);
    this.teleop = new Teleop(this.link, this.stage);
    this.teleop.onplay = () => this.transport.toggle();
    this.touch = new Touch(this.stage, this.link, i => this.select(i));
    this.tabs = new Tabs([
      {id: 'look', title: 'Look', content: this.look.element}, {id: 'plots', title: 'Plots', content: this.plots.element},
      {id: 'sensors', title: 'Sensors', content: this.sensors.element},
      {id: 'actuators', title: 'Actuators', content: this.actuators.element}, {id: 'teleop', title: 'Steer', content: this.teleop.element},
    ]);
    this.field = fields[0];
    addEventListener('resize', () => this.makeRoom());
    this.tabs.onopen = () => {
      this.makeRoom();
      this.sendFields();
    };
    this.help = helpDialog();
    this.makeBar();
    document.body.append(this.bar, this.tree.element, this.tabs.element, this.legend.element, this.transport.element, this.toasts, this.help);
    this.setTheme(options.get('theme') ?? localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    const narrow = matchMedia('(max-width: 760px)').matches || options.get('panels') === '0';
    this.showPanel('tree', !narrow);
    this.showPanel('side', !narrow);
    listen(this);
    const loop = () => {
      requestAnimationFrame(loop);
      this.tick();
    };
    loop();
  }

  makeBar() {
    this.name = h('span', {class: 'scene-name'}, '');
    this.badge = h('span', {class: 'badge', id: 'badge'}, 'connecting');
    this.rate = h('span', {class: 'badge rate', id: 'rate', title: 'Simulated seconds per second; in brackets what this machine could do'}, '');
    const treeButton = button('tree', 'Scene', () => this.showPanel('tree'), '[');
    const sideButton = button('panel', 'Settings', () => this.showPanel('side'), ']');
    this.panelButtons = {tree: treeButton, side: sideButton};
    this.bar = h('header', {class: 'bar glass'}, treeButton, h('span', {class: 'brand'}, h('i', {}), 'Pliant'), this.name, this.badge, this.rate, h('span', {class: 'grow'}),
      button('theme', 'Light or dark', () => this.setTheme(this.stage.themeName === 'dark' ? 'light' : 'dark')),
      button('help', 'Keys', () => this.help.showModal(), '?'), sideButton);
  }

  // ---- what the program says

  setScene(scene) {
    this.scene = scene;
    this.fresh = true;
    this.name.textContent = scene.name;
    document.title = `${scene.name} – Pliant`;
    this.transport.setScene(scene);
    this.plots.setScene(scene);
    this.sensors.build(scene);
    this.actuators.build(scene);
    this.teleop.build(scene);
    for (const t of this.tabs.tabs) t.button.hidden = (t.id === 'sensors' && !scene.sensors.length) || (t.id === 'actuators' && !scene.actuators.length) || (t.id === 'teleop' && !this.teleop.available);
    this.sendFields();
  }

  build(frame) {
    this.fresh = false;
    this.bodies?.dispose();
    this.axes?.lines.removeFromParent();
    this.bodies = new Bodies(this.stage, this.scene, frame);
    this.bodies.move(frame);
    const {lower, upper} = this.bodies.bounds(frame);
    this.stage.setBounds(lower, upper);
    this.stage.makeFloors(this.scene.shapes.filter(s => s.kind === 'half_space'), lower[2], this.bodies.groups);
    this.axes = new Axes(this.stage.scene, this.scene.bodies.length + 2, 0.07 * this.stage.radius);
    this.axes.lines.visible = false;
    this.touch.bodies = this.bodies;
    this.contacts.fixed = side => {
      const shape = this.scene.shapes[side - this.scene.deformables.length];
      return shape && (shape.body < 0 || this.scene.bodies[shape.body].fixed);
    };
    this.tree.build(this.scene, this.bodies);
    this.stage.look(options.get('camera') ?? 'iso', false);
    this.setField(options.get('colour') ?? this.field.name);
    for (const key of ['forces', 'patches', 'wireframe', 'frames']) {
      const on = options.get('show')?.split(',').includes(key) || this.look[key].querySelector('input').checked;
      this.look.set(key, on);
      this.toggle(key, on);
    }
    if (options.get('tab')) this.tabs.open(options.get('tab'));
  }

  message({kind, text}) {
    if (kind === 'recorded' || kind === 'saved') {
      const link = h('a', {href: `/files/${encodeURIComponent(text)}${token ? `?token=${token}` : ''}`, download: text}, text);
      this.toast(h('span', {}, kind === 'saved' ? 'State saved: ' : 'Recording saved: ', link), 'good');
    } else {
      this.toast(text, kind === 'error' ? 'bad' : '');
    }
  }

  setState(state) {
    this.connected = state === 'open';
    document.body.classList.toggle('offline', !this.connected);
    if (!this.connected) this.badge.textContent = 'not connected', this.badge.dataset.kind = 'bad';
  }

  toast(content, kind = '') {
    const box = h('div', {class: `toast ${kind}`}, content, h('button', {type: 'button', class: 'link', 'aria-label': 'Close', onclick: () => box.remove()}, '×'));
    this.toasts.append(box);
    while (this.toasts.children.length > 4) this.toasts.firstChild.remove();
    setTimeout(() => box.remove(), kind === 'bad' ? 15000 : 8000);
  }

  // ---- once per picture

  tick() {
    const frame = this.link.take();
    if (frame && this.scene) this.showFrame(frame);
    this.touch.tick();
    this.teleop.tick();
    this.stage.draw();
  }

  showFrame(frame) {
    this.frame = frame;
    if (this.fresh) this.build(frame);
    this.bodies.move(frame);
    this.contacts.move(frame);
    this.transport.show(frame);
    this.plots.add(frame);
    this.touch.enabled = !frame.replay;
    this.showBadges(frame);
    if (this.axes.lines.visible) this.moveAxes(frame);
    if (this.field.id && this.bodies.range) this.legend.show(this.field, this.bodies.range);
    const side = this.tabs.element.hidden ? '' : this.tabs.current;
    this.plots.draw(frame, side === 'plots');
    if (side === 'sensors') this.sensors.show(frame);
    if (side === 'actuators') this.actuators.show(frame);
    if (side === 'teleop') this.teleop.show(frame);
    if (side === 'look') this.look.scale.textContent = this.contacts.show.forces && this.contacts.largest > 0 ? `The longest force arrow stands for ${this.contacts.largest.toPrecision(3)} N.` : '';
    document.body.dataset.time = frame.time.toFixed(4);
  }

  showBadges(frame) {
    const [text, kind] = frame.failed ? ['step failed', 'bad'] : frame.replay ? ['replay', 'calm'] : frame.recording ? [`recording ${frame.recorded}`, 'bad']
      : frame.playing ? ['live', 'good'] : ['paused', 'calm'];
    if (this.badge.textContent !== text) this.badge.textContent = text, this.badge.dataset.kind = kind;
    const able = frame.capacity > 0 ? ` (${frame.capacity >= 10 ? frame.capacity.toFixed(0) : frame.capacity.toFixed(1)}×)` : '';
    this.rate.hidden = frame.replay || !frame.playing;
    this.rate.replaceChildren(`${frame.rate.toFixed(2)}×`, h('span', {class: 'long'}, frame.behind ? ' real time: too slow' : ` real time${able}`));
    this.rate.dataset.kind = frame.behind ? 'bad' : '';
  }

  moveAxes(frame) {
    const p = frame.poses, n = this.scene.bodies.length;
    for (let i = 0; i < n; i++) this.axes.set(i, ...p.subarray(7 * i, 7 * i + 7));
    this.axes.set(n, 0, 0, 0, 1, 0, 0, 0);
    const s = frame.effector >= 0 ? [...frame.steered.p, ...frame.steered.q] : [0, 0, 0, 1, 0, 0, 0];
    this.axes.set(n + 1, ...s);
  }

  // ---- what the user wants

  toggle(key, on) {
    if (key === 'forces' || key === 'patches') this.contacts.set(key, on);
    if (key === 'wireframe') this.bodies?.setWireframe(on);
    if (key === 'frames' && this.axes) this.axes.lines.visible = on, this.frame && this.moveAxes(this.frame);
    if (key === 'floor') this.stage.floors.visible = on;
    if (key === 'shadows') this.stage.key.castShadow = on;
    this.stage.touch();
  }

  flip(key) {
    const on = !this.look[key].querySelector('input').checked;
    this.look.set(key, on);
    this.toggle(key, on);
  }

  setField(name) {
    this.field = fields.find(f => f.name === name) ?? fields[0];
    this.look.colour.value = this.field.name;
    this.bodies?.setField(this.field);
    this.legend.setHeld(false);
    this.legend.element.hidden = !this.field.id;
    this.makeRoom();
    this.legend.key = '';
    this.sendFields();
  }

  nextField() {
    this.setField(fields[(this.field.id + 1) % fields.length].name);
  }

  sendFields() {
    if (!this.scene) return;
    const panes = !this.tabs.element.hidden && this.tabs.current === 'sensors' && hasPanes(this.scene) ? 1 : 0;
    this.link.send('fields', panes | (this.field.id ? 1 << this.field.id : 0));
  }

  select(item) {
    this.bodies.select(item);
    this.tree.select(item);
  }

  setShown(item, on) {
    this.bodies.setShown(item, on);
    if (item.kind === 'half_space') {
      const floors = this.scene.shapes.filter(s => s.kind === 'half_space' && s.body < 0);
      const floor = this.stage.floors.children[floors.indexOf(item.shape)];
      if (floor) floor.visible = on;
    }
  }

  focus(item) {
    if (!item?.object) return this.stage.look('iso');
    this.select(item);
    const {centre, radius} = this.bodies.place(item);
    this.stage.focus(centre, radius);
  }

  showPanel(id, on) {
    const element = document.getElementById(id);
    element.hidden = on === undefined ? !element.hidden : !on;
    // a small screen has room for one
    if (!element.hidden && matchMedia('(max-width: 760px)').matches) document.getElementById(id === 'tree' ? 'side' : 'tree').hidden = true;
    for (const [key, b] of Object.entries(this.panelButtons)) b.setAttribute('aria-expanded', String(!document.getElementById(key).hidden));
    this.plots.restyle();
    this.makeRoom();
    this.sendFields();
  }

  // The scene is centred in what the panels leave free.
  makeRoom() {
    const narrow = matchMedia('(max-width: 760px)').matches, width = e => e.hidden ? 0 : e.offsetWidth + 10;
    const right = Math.max(width(this.tabs.element) + (this.field.id ? width(this.legend.element) : 0), 0);
    if (narrow) this.stage.setInsets(0, 0, 56, Math.max(120, ...[this.tree.element, this.tabs.element].map(e => e.hidden ? 0 : e.offsetHeight + 120)));
    else this.stage.setInsets(width(this.tree.element), right, 56, 64);
  }

  setTheme(name) {
    document.documentElement.dataset.theme = name;
    localStorage.setItem('theme', name);
    this.stage.setTheme(name);
    this.plots.restyle();
  }

  takePicture() {
    picture(this.stage, this.scene?.name ?? 'pliant', this.field, this.bodies?.range);
  }

  toggleVideo() {
    const on = this.video.toggle(this.stage, this.scene?.name ?? 'pliant', text => this.toast(text, 'bad'));
    this.transport.video.classList.toggle('on', on);
    this.transport.video.setAttribute('aria-pressed', String(on));
  }
}

window.app = new App();
