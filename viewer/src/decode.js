// decode.js: the two binary messages of the server (docs/viewer.md) as objects.

const text = (bytes, at, n) => new TextDecoder().decode(new Uint8Array(bytes, at, n));

export const kindOf = bytes => bytes.byteLength >= 4 ? text(bytes, 0, 4) : '';

// "PLSC": JSON, then the arrays it points into.
export function decodeScene(bytes) {
  const size = new DataView(bytes).getUint32(4, true);
  const scene = JSON.parse(text(bytes, 8, size));
  const base = 8 + size;
  const ints = ([at, n]) => new Uint32Array(bytes, base + at, n);
  const floats = ([at, n]) => new Float32Array(bytes, base + at, n);
  for (const body of scene.deformables) body.tri = ints(body.tri), body.source = ints(body.source);
  for (const shape of scene.shapes) if (shape.tri) shape.vert = floats(shape.vert), shape.tri = ints(shape.tri);
  return scene;
}

// "PLVW": the state of the view; then "PLFR": the moment itself. nstage: stages of a step, sensors: those of the scene.
export function decodeFrame(bytes, nstage, sensors = []) {
  const view = new DataView(bytes);
  const u32 = at => view.getUint32(at, true), i32 = at => view.getInt32(at, true);
  const f32 = at => view.getFloat32(at, true), f64 = at => view.getFloat64(at, true);
  const vec = at => [f32(at), f32(at + 4), f32(at + 8)];
  const flags = u32(8);
  const frame = {
    sequence: u32(4), playing: !!(flags & 1), replay: !!(flags & 2), recording: !!(flags & 4), grabbed: !!(flags & 8),
    behind: !!(flags & 16), failed: !!(flags & 32), count: u32(12), begin: f64(16), end: f64(24), speed: f32(32), rate: f32(36),
    capacity: f32(40), grip: f32(44), effector: i32(48), recorded: u32(52), side: i32(56), point: vec(60), target: vec(72), force: vec(84),
    steered: {p: vec(96), q: [f32(108), ...vec(112)]},
  };
  const m = 160;
  const ncontact = u32(m + 4), nsurf = u32(m + 20), nbody = u32(m + 24), nu = u32(m + 28), nact = u32(m + 32);
  Object.assign(frame, {
    time: f64(m + 8), fields: u32(m + 16), step: u32(m + 36), status: u32(m + 40), constraints: u32(m + 44), iterations: u32(m + 48),
    lineSearch: u32(m + 52), freeIterations: u32(m + 56), factorizations: u32(m + 60), skipped: u32(m + 64), residual: f32(m + 68),
    freeResidual: f32(m + 72), kinetic: f32(m + 76), elastic: f32(m + 80), gravity: f32(m + 84), ncontact,
  });
  frame.stages = new Float32Array(bytes, m + 88, nstage);
  let at = m + 88 + 4 * nstage;
  const take = n => {
    const array = new Float32Array(bytes, at, n);
    at += 4 * n;
    return array;
  };
  frame.poses = take(7 * nbody);
  frame.surf = take(3 * nsurf);
  frame.field = {};
  for (let bit = 1; bit < 6; bit++) if (frame.fields >> bit & 1) frame.field[bit] = take(nsurf);
  frame.contacts = take(16 * ncontact);
  frame.sides = new Uint32Array(frame.contacts.buffer, frame.contacts.byteOffset, 16 * ncontact);
  frame.u = take(nu);
  frame.actuated = take(nact);
  // one reading for each sensor; null: it is large, and nobody asked for it
  frame.readings = sensors.map(s => {
    const n = s.rows * s.columns, from = at;
    if (!s.small && !(frame.fields & 1)) return null;
    at += s.type === 'u8' ? n + 3 & ~3 : 4 * n;
    return new {f32: Float32Array, i32: Int32Array, u8: Uint8Array}[s.type](bytes, from, n);
  });
  return frame;
}
