// plots.js: what the steps did, over simulated time: rate, iterations, residual, contacts, energies; and where the time went.
import uPlot from 'uplot';
import {h, quantity} from './dom.js';
import {sensorCharts} from './sensors.js';

const MOST = 1500;
const charts = [
  {id: 'rate', title: 'Realtime rate', unit: '×', series: [['rate', '#2f6fed']], value: f => [f.rate]},
  {id: 'iterations', title: 'Newton iterations', series: [['iterations', '#e07a1f']], value: f => [f.iterations], zero: true},
  {id: 'residual', title: 'Residual', log: true, series: [['residual', '#b0458f']], value: f => [f.residual > 0 ? f.residual : null]},
  {id: 'contacts', title: 'Contact points', series: [['contacts', '#1a9a8a']], value: f => [f.ncontact], zero: true},
  {id: 'energy', title: 'Energy', unit: 'J', series: [['kinetic', '#e5484d'], ['elastic', '#2f9e6e'], ['gravity', '#3b6fd8'], ['total', '#8b8f98']],
    value: f => [f.kinetic, f.elastic, f.gravity, f.kinetic + f.elastic + f.gravity]},
];

// Of a logarithmic axis, a few powers of ten.
function tens(_, splits) {
  const powers = splits.map(x => Math.log10(x)), whole = powers.filter(p => Math.abs(p - Math.round(p)) < 1e-6);
  const every = Math.max(1, Math.ceil(whole.length / 3));
  return splits.map((x, i) => Math.abs(powers[i] - Math.round(powers[i])) < 1e-6 && Math.round(powers[i]) % every === 0 ? x : null);
}

export class Plots {
  constructor() {
    this.note = h('p', {class: 'note'}, 'Plots fill as the simulation runs.');
    this.stages = h('div', {class: 'stages', role: 'img', 'aria-label': 'Where the time of a step goes'});
    this.stageNames = h('div', {class: 'stage-names'});
    this.element = h('div', {class: 'stack', id: 'plots'});
    this.steps = h('section', {class: 'plot'}, h('div', {class: 'line'}, h('h3', {}, 'Time of a step'), this.total = h('output', {})), this.stages, this.stageNames);
    this.holders = [];
    this.drawn = 0;
  }

  // One plot for what each step did, then one for each sensor with few numbers.
  setScene(scene) {
    this.names = scene.stages;
    for (const c of this.holders) c.plot?.destroy();
    this.holders = [...charts, ...sensorCharts(scene)].map(c => ({...c, now: h('output', {}), box: h('div', {class: 'chart'})}));
    this.element.replaceChildren(this.note,
      ...this.holders.map(c => h('section', {class: 'plot', id: `plot-${c.id}`, 'aria-label': c.title}, h('div', {class: 'line'}, h('h3', {}, c.title), c.now), c.box)), this.steps);
    this.clear();
  }

  clear() {
    for (const c of this.holders) c.data = [[], ...c.series.map(() => [])];
    this.last = -Infinity;
  }

  // Time that jumps back takes its points along.
  add(frame) {
    if (frame.time < this.last)
      for (const c of this.holders) {
        let n = c.data[0].length;
        while (n && c.data[0][n - 1] >= frame.time) n--;
        c.data.forEach(column => column.length = n);
      }
    if (frame.time === this.last || !frame.step) return;
    this.last = frame.time;
    for (const c of this.holders) {
      c.data[0].push(frame.time);
      c.value(frame).forEach((y, k) => c.data[k + 1].push(y));
      if (c.data[0].length > MOST) c.data.forEach(column => column.splice(0, column.length - MOST));
    }
  }

  make(c) {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--faint').trim(), line = style.getPropertyValue('--line').trim();
    const axis = {stroke: ink, grid: {stroke: line, width: 1}, ticks: {show: false}, font: '10px system-ui, sans-serif', size: 20, gap: 2};
    c.plot = new uPlot({
      width: Math.max(160, c.box.clientWidth), height: c.series.length > 1 ? 132 : 84, legend: {show: false}, cursor: {y: false, points: {show: false}},
      padding: [6, 6, 0, 0], scales: {x: {time: false}, y: c.log ? {distr: 3} : {range: (_, a, b) => c.zero ? [0, Math.max(1, b * 1.1)] : a === b ? [a - 1, b + 1] : [Math.min(a, a - 0.05 * (b - a)), b + 0.05 * (b - a)]}},
      axes: [{...axis, values: (_, v) => v.map(x => `${+x.toPrecision(4)}`)}, {...axis, size: 46, space: 26,
        ...(c.log ? {grid: {...axis.grid, filter: tens}, filter: tens} : {}),
        values: (_, v) => v.map(x => x == null ? '' : c.log ? x.toExponential(0) : `${+x.toPrecision(3)}`)}],
      series: [{}, ...c.series.map(([label, stroke]) => ({label, stroke, width: 1.6, points: {show: false}}))],
    }, c.data, c.box);
    if (c.series.length > 1) c.box.after(c.keys = h('div', {class: 'stage-names'}, c.series.map(([label, colour]) => h('span', {}, h('i', {style: `background:${colour}`}), label))));
  }

  // Colours belong to the theme: the plots are made again.
  restyle() {
    for (const c of this.holders) {
      c.plot?.destroy();
      c.keys?.remove();
      c.plot = null;
    }
    this.drawn = 0;
  }

  draw(frame, visible) {
    const now = performance.now();
    if (!visible || now - this.drawn < 120) return;
    this.drawn = now;
    if (!this.holders.length) return;
    this.note.hidden = this.holders[0].data[0].length > 1;
    for (const c of this.holders) {
      if (!c.plot && c.box.clientWidth) this.make(c);
      c.plot?.setData(c.data);
      const [value] = c.value(frame).slice(-1);
      c.now.textContent = c.log ? (frame.residual > 0 ? frame.residual.toExponential(1) : '0') : c.unit === 'J' || c.reading ? c.reading && c.series.length > 1 ? '' : quantity(value ?? NaN, c.unit) : `${+value.toFixed(2)}${c.unit ?? ''}`;
    }
    this.drawStages(frame);
  }

  drawStages(frame) {
    const total = frame.stages.reduce((a, b) => a + b, 0);
    this.total.textContent = total ? quantity(total, 's') : '–';
    const parts = [...frame.stages].map((s, i) => ({name: this.names[i], share: total ? s / total : 0, hue: 212 + 41 * i}));
    this.stages.replaceChildren(...parts.map(p => h('i', {style: `width:${(100 * p.share).toFixed(2)}%;background:hsl(${p.hue} 55% 55%)`, title: `${p.name}: ${(100 * p.share).toFixed(0)} %`})));
    this.stageNames.replaceChildren(...parts.filter(p => p.share > 0.03).map(p => h('span', {}, h('i', {style: `background:hsl(${p.hue} 55% 55%)`}), `${p.name} ${(100 * p.share).toFixed(0)} %`)));
  }
}
