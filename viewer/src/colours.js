// colours.js: colours for numbers, even to the eye (the same as in the pictures of `pliant run --png`), and the legend.
import {h} from './dom.js';

export const fields = [
  {id: 0, name: 'body', title: 'Body'},
  {id: 1, name: 'displacement', title: 'Displacement', unit: 'm'},
  {id: 2, name: 'speed', title: 'Speed', unit: 'm/s'},
  {id: 3, name: 'strain', title: 'Largest strain', unit: ''},
  {id: 4, name: 'von_mises', title: 'Von Mises stress', unit: 'Pa'},
  {id: 5, name: 'pressure', title: 'Pressure', unit: 'Pa', diverging: true},
];

// Deformable bodies take these colours in turn (sRGB).
export const palette = [[0.93, 0.42, 0.31], [0.16, 0.60, 0.62], [0.96, 0.70, 0.26], [0.36, 0.43, 0.80], [0.55, 0.72, 0.36], [0.79, 0.44, 0.66]];

// Lightness, chroma, hue (degrees) of OKLab.
const sequential = [[0.34, 0.150, 278], [0.49, 0.150, 258], [0.645, 0.115, 208], [0.795, 0.155, 152], [0.95, 0.175, 106]];
const diverging = [[0.42, 0.15, 258], [0.68, 0.115, 245], [0.96, 0.01, 245], [0.96, 0.01, 40], [0.70, 0.13, 40], [0.46, 0.175, 25]];

function linear([L, c, hue]) {
  const a = c * Math.cos(hue * Math.PI / 180), b = c * Math.sin(hue * Math.PI / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map(x => Math.min(1, Math.max(0, x)));
}

function along(keys, x) {
  const at = Math.min(1, Math.max(0, x)) * (keys.length - 1), i = Math.min(Math.floor(at), keys.length - 2), f = at - i;
  return linear(keys[i].map((k, j) => k + f * (keys[i + 1][j] - k)));
}

const sample = (x, two) => !two ? along(sequential, x) : x < 0.5 ? along(diverging.slice(0, 3), 2 * x) : along(diverging.slice(3), 2 * x - 1);

// 256 colours in linear light.
function table(two) {
  const t = new Float32Array(3 * 256);
  for (let i = 0; i < 256; i++) t.set(sample(i / 255, two), 3 * i);
  return t;
}
const tables = [table(false), table(true)];

const toCss = rgb => `rgb(${rgb.map(x => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055))).join(' ')})`;
// A colour of 256 as three bytes.
const bytes = tables.map(t => Array.from({length: 256}, (_, i) => [0, 1, 2].map(k => {
  const x = t[3 * i + k];
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
})));
export const colourOf = (x, two = false) => bytes[two ? 1 : 0][Math.min(255, Math.max(0, Math.round(255 * x))) || 0];
export const gradient = two => Array.from({length: 17}, (_, i) => toCss(sample(i / 16, two)));

// The range of a field: widens at once, narrows slowly, so that colours do not flicker.
export class Scale {
  constructor() {
    this.reset();
  }

  reset() {
    this.lower = Infinity;
    this.upper = -Infinity;
    this.held = false;
    this.seen = performance.now();
  }

  include(values, visible) {
    if (this.held) return;
    const now = performance.now(), part = 1 - Math.exp((this.seen - now) / 1500);
    this.seen = now;
    let lower = Infinity, upper = -Infinity;
    for (let i = 0; i < values.length; i++) {
      if (!visible(i)) continue;
      if (values[i] < lower) lower = values[i];
      if (values[i] > upper) upper = values[i];
    }
    if (!(upper >= lower)) return;
    this.lower = Math.min(lower, this.lower === Infinity ? lower : this.lower + part * (lower - this.lower));
    this.upper = Math.max(upper, this.upper === -Infinity ? upper : this.upper + part * (upper - this.upper));
  }

  // Both ends, symmetric about 0 for a diverging map.
  range(field) {
    let {lower, upper} = this;
    if (!(upper >= lower)) lower = 0, upper = 1;
    if (field.diverging && lower < 0 && upper > 0) {
      upper = Math.max(-lower, upper);
      return {lower: -upper, upper, diverging: true};
    }
    if (!field.diverging && lower > 0 && lower < 0.5 * upper) lower = 0;
    if (!(upper > lower)) upper = lower + 1e-12;
    return {lower, upper, diverging: false};
  }
}

// rgb[3 i] for values[i]
export function paint(values, from, to, {lower, upper, diverging: two}, rgb, map) {
  const t = tables[two ? 1 : 0], scale = 255 / (upper - lower);
  for (let i = from; i < to; i++) {
    const k = 3 * Math.min(255, Math.max(0, Math.round((values[map[i - from]] - lower) * scale)));
    rgb[3 * (i - from)] = t[k], rgb[3 * (i - from) + 1] = t[k + 1], rgb[3 * (i - from) + 2] = t[k + 2];
  }
}

// Round numbers between the ends, with a unit that suits them.
export function ticks(lower, upper, unit) {
  const largest = Math.max(Math.abs(lower), Math.abs(upper));
  const prefixes = {'-3': 'n', '-2': 'µ', '-1': 'm', 0: '', 1: 'k', 2: 'M', 3: 'G'};
  let power = largest > 0 ? Math.min(3, Math.max(-3, Math.floor(Math.log10(largest * 1.0000001) / 3))) : 0;
  let factor = 1000 ** -power, shown = prefixes[power] + unit;
  if (!unit) factor = largest < 1 ? 100 : 1, shown = largest < 1 ? '%' : '';
  const a = lower * factor, b = upper * factor, span = b - a || 1;
  const ten = 10 ** Math.floor(Math.log10(span / 4)), f = span / 4 / ten, step = ten * (f >= 5 ? 5 : f >= 2 ? 2 : 1);
  const list = [];
  for (let x = Math.ceil(a / step - 1e-9) * step; x <= b + 1e-9 * step; x += step)
    list.push({at: (x - a) / span, text: String(Number((Math.abs(x) < 1e-9 * step ? 0 : x).toPrecision(4)))});
  return {list, unit: shown};
}

export class Legend {
  constructor(onHold) {
    this.bar = h('div', {class: 'legend-bar'});
    this.title = h('div', {class: 'legend-title'});
    this.marks = h('div', {class: 'legend-marks'});
    this.hold = h('button', {type: 'button', class: 'small', title: 'Keep the range as it is now', 'aria-pressed': 'false', onclick: () => {
      const on = this.hold.getAttribute('aria-pressed') !== 'true';
      this.setHeld(on);
      onHold(on);
    }}, 'Hold');
    this.element = h('section', {class: 'legend glass', 'aria-label': 'Legend', hidden: true}, this.title,
      h('div', {class: 'legend-body'}, this.bar, this.marks), this.hold);
    this.key = '';
  }

  setHeld(on) {
    this.hold.setAttribute('aria-pressed', String(on));
  }

  show(field, range) {
    this.element.hidden = !field.id;
    if (!field.id) return;
    const {list, unit} = ticks(range.lower, range.upper, field.unit);
    const key = field.id + unit + list.map(t => `${t.text}@${t.at.toFixed(3)}`).join();
    if (key === this.key) return;
    this.key = key;
    this.title.textContent = unit ? `${field.title} / ${unit}` : field.title;
    this.bar.style.background = `linear-gradient(to top, ${gradient(range.diverging).join(',')})`;
    this.marks.replaceChildren(...list.map(t => h('span', {style: `bottom:${(100 * t.at).toFixed(2)}%`}, t.text)));
  }
}
