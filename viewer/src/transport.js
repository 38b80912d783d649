// transport.js: the bar at the bottom: play, step, reset, time, speed, record, save, pictures.
import {button, h, setIcon} from './dom.js';

const speeds = [[0.05, '0.05×'], [0.1, '0.1×'], [0.25, '0.25×'], [0.5, '0.5×'], [1, '1×'], [2, '2×'], [4, '4×'], [0, 'max']];

export class Transport {
  constructor(link, actions) {
    this.link = link;
    this.play = button('pause', 'Play or pause', () => this.toggle(), 'Space');
    this.play.classList.add('primary');
    this.play.id = 'play';
    this.reset = button('reset', 'Back to the start', () => link.send('reset'), 'R');
    this.back = button('back', 'One step back', () => this.stepBack(), ',');
    this.next = button('step', 'One step', () => link.send('step', 1), '.');
    this.line = h('input', {type: 'range', id: 'timeline', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time', oninput: () => this.seek()});
    this.time = h('output', {class: 'time', id: 'time', title: 'Simulated time'}, '0.000 s');
    this.speed = h('select', {id: 'speed', 'aria-label': 'Speed', title: 'Simulated seconds per second', onchange: () => link.send('speed', Number(this.speed.value))},
      speeds.map(([value, text]) => h('option', {value, selected: value === 1}, text)));
    this.record = button('record', 'Record', () => link.send('record', this.recording ? 0 : 1), 'X');
    this.record.classList.add('record');
    this.record.id = 'record';
    this.save = button('save', 'Save the state', () => link.send('save'));
    this.save.id = 'save';
    this.picture = button('camera', 'Picture', actions.picture, 'P');
    this.video = button('video', 'Video of this view', actions.video);
    this.video.id = 'video';
    this.element = h('footer', {class: 'transport glass', role: 'toolbar', 'aria-label': 'Simulation'},
      h('div', {class: 'group'}, this.reset, this.back, this.play, this.next),
      h('div', {class: 'group grow'}, this.line, this.time),
      h('div', {class: 'group'}, this.speed, this.record, this.save, this.picture, this.video));
    this.held = 0;
  }

  toggle() {
    this.link.send(this.playing ? 'pause' : 'play');
  }

  seek() {
    this.held = performance.now() + 400;
    if (this.playing) this.link.send('pause');
    this.link.send('seek', Number(this.line.value));
  }

  stepBack() {
    if (this.replay) return this.link.send('step', -1);
    if (this.playing) this.link.send('pause');
    this.link.send('seek', Math.max(this.begin, this.now - 1.01 * Math.max(this.dt, (this.end - this.begin) / 1000, 1 / 30)));
  }

  setScene(scene) {
    this.dt = scene.dt;
  }

  show(frame) {
    Object.assign(this, {playing: frame.playing, recording: frame.recording, replay: frame.replay, begin: frame.begin, end: frame.end, now: frame.time});
    setIcon(this.play, frame.playing ? 'pause' : 'play');
    this.play.setAttribute('aria-pressed', String(frame.playing));
    this.time.textContent = `${frame.time.toFixed(3)} s`;
    this.line.min = frame.begin;
    this.line.max = Math.max(frame.end, frame.begin + 1e-9);
    if (performance.now() > this.held) this.line.value = frame.time;
    const range = frame.end - frame.begin || 1;
    this.line.style.setProperty('--at', `${(100 * (this.line.value - frame.begin) / range).toFixed(2)}%`);
    this.line.setAttribute('aria-valuetext', `${frame.time.toFixed(2)} of ${frame.end.toFixed(2)} seconds`);
    if (document.activeElement !== this.speed) this.speed.value = String(speeds.find(([s]) => Math.abs(s - frame.speed) < 1e-6)?.[0] ?? 1);
    this.record.classList.toggle('on', frame.recording);
    this.record.setAttribute('aria-pressed', String(frame.recording));
    this.record.hidden = this.save.hidden = frame.replay;
    if (frame.recording) this.record.title = `Recording: ${frame.recorded} frames. Stop (X)`;
  }
}
