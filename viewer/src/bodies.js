// bodies.js: deformable and rigid bodies on the stage, and which of them are shown.
import {
  BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, SphereGeometry,
  SRGBColorSpace, Vector3,
} from 'three';
import {fields, paint, palette, Scale} from './colours.js';
import {Surface} from './surface.js';

const material = options => new MeshStandardMaterial({roughness: 0.62, metalness: 0, ...options});

function shapeGeometry(s) {
  switch (s.kind) {
    case 'sphere': return new SphereGeometry(s.radius, 48, 32);
    case 'box': return new BoxGeometry(...s.size);
    case 'capsule': return new CapsuleGeometry(s.radius, s.length, 16, 40).rotateX(Math.PI / 2);
    case 'cylinder': return new CylinderGeometry(s.radius, s.radius, s.length, 48).rotateX(Math.PI / 2);
    case 'ellipsoid': return new SphereGeometry(0.5, 48, 32).scale(...s.size);
    default: return s.vert ? new Surface(s.vert, s.tri).geometry : null;
  }
}

// Links that have no colour of their own take turns, so that joints can be seen.
function shapeColour(shape, bodies) {
  const plain = shape.colour.every(c => Math.abs(c - 0.6) < 1e-6);
  if (!plain || shape.body < 0) return shape.colour;
  let depth = 0;
  for (let b = shape.body; b >= 0; b = bodies[b].parent) depth++;
  return depth % 2 ? [0.87, 0.88, 0.89] : [0.45, 0.49, 0.55];
}

export class Bodies {
  constructor(stage, scene, frame) {
    this.stage = stage;
    this.scene = scene;
    this.field = fields[0];
    this.scale = new Scale();
    this.root = new Group();
    stage.scene.add(this.root);
    this.items = [];          // {side, name, object, shown}: deformables, then shapes, as in contacts
    this.groups = scene.bodies.map(() => this.add(new Group()));
    this.makeDeformables(frame);
    this.makeShapes();
    this.setMode('visual');
  }

  add(object) {
    this.root.add(object);
    return object;
  }

  dispose() {
    this.root.traverse(o => {
      o.geometry?.dispose();
      o.material?.dispose();
    });
    this.stage.scene.remove(this.root);
  }

  makeDeformables(frame) {
    this.soft = this.scene.deformables.map((body, i) => {
      const surface = new Surface(frame.surf.subarray(3 * body.surf0, 3 * (body.surf0 + body.nsurf)), body.tri);
      const colour = new Color().setRGB(...palette[i % palette.length], SRGBColorSpace);
      const mesh = new Mesh(surface.geometry, material({color: colour, roughness: 0.55}));
      const edges = new LineSegments(surface.edges, new LineBasicMaterial({color: 0x000000, transparent: true, opacity: 0.28}));
      mesh.castShadow = mesh.receiveShadow = true;
      edges.visible = false;
      mesh.add(edges);
      this.add(mesh);
      mesh.userData.side = i;
      this.items.push({side: i, name: body.name, object: mesh, shown: true, kind: 'deformable'});
      return {body, surface, mesh, edges, colour};
    });
  }

  makeShapes() {
    const n = this.scene.deformables.length;
    this.rigid = this.scene.shapes.map((shape, i) => {
      const geometry = shapeGeometry(shape);
      const item = {side: n + i, name: shape.name, shape, shown: true, kind: shape.kind, object: null};
      this.items.push(item);
      if (!geometry) return item;
      const colour = new Color().setRGB(...shapeColour(shape, this.scene.bodies), SRGBColorSpace);
      const mesh = item.object = new Mesh(geometry, material({color: colour, roughness: 0.5, metalness: 0.08}));
      const [x, y, z, w, qx, qy, qz] = shape.pose;
      mesh.position.set(x, y, z);
      mesh.quaternion.set(qx, qy, qz, w);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.userData.side = item.side;
      (shape.body >= 0 ? this.groups[shape.body] : this.root).add(mesh);
      return item;
    });
  }

  // Drawn shapes where a body has some of its own for that, shapes of contact elsewhere; or one kind alone; or both.
  setMode(mode) {
    this.mode = mode;
    const drawn = new Set(this.scene.shapes.filter(s => !s.collide).map(s => s.body));
    for (const item of this.rigid) {
      const {collide, body} = item.shape;
      item.wanted = mode === 'both' || (mode === 'collision' ? collide : !collide || !drawn.has(body));
      if (item.object) {
        item.object.material.transparent = mode === 'both' && collide && drawn.has(body);
        item.object.material.opacity = item.object.material.transparent ? 0.35 : 1;
      }
    }
    this.applyVisibility();
  }

  applyVisibility() {
    for (const item of this.items) if (item.object) item.object.visible = item.shown && item.wanted !== false;
    this.stage.touch();
  }

  setShown(item, shown) {
    item.shown = shown;
    this.applyVisibility();
  }

  setWireframe(on) {
    for (const s of this.soft) s.edges.visible = on;
    for (const item of this.rigid) {
      if (!item.object) continue;
      if (on && !item.edges) item.object.add(item.edges = new LineSegments(new EdgesGeometry(item.object.geometry, 20), new LineBasicMaterial({color: 0x000000, transparent: true, opacity: 0.35})));
      if (item.edges) item.edges.visible = on;
    }
    this.stage.touch();
  }

  setField(field) {
    this.field = field;
    this.scale.reset();
    for (const s of this.soft) {
      s.mesh.material.vertexColors = !!field.id;
      s.mesh.material.color.copy(field.id ? new Color(1, 1, 1) : s.colour);
      s.mesh.material.needsUpdate = true;
    }
    this.stage.touch();
  }

  select(item) {
    for (const other of this.items) other.object?.material.emissive.setHex(other === item ? 0x2a1d08 : 0x000000);
    this.selected = item;
    this.stage.touch();
  }

  move(frame) {
    const p = frame.poses;
    this.groups.forEach((g, i) => {
      g.position.set(p[7 * i], p[7 * i + 1], p[7 * i + 2]);
      g.quaternion.set(p[7 * i + 4], p[7 * i + 5], p[7 * i + 6], p[7 * i + 3]);
    });
    for (const s of this.soft) s.surface.move(frame.surf.subarray(3 * s.body.surf0, 3 * (s.body.surf0 + s.body.nsurf)));
    this.colour(frame);
    this.stage.touch();
  }

  // Colours of the field, if this frame has it.
  colour(frame) {
    const values = this.field.id ? frame.field[this.field.id] : null;
    if (!values) return;
    const owner = this.soft.map(s => s.mesh.visible), starts = this.soft.map(s => s.body.surf0);
    const visible = i => {
      let b = starts.length - 1;
      while (b > 0 && starts[b] > i) b--;
      return owner[b];
    };
    this.scale.include(values, visible);
    const range = this.range = this.scale.range(this.field);
    for (const s of this.soft) {
      const {surface, body} = s;
      paint(values.subarray(body.surf0, body.surf0 + body.nsurf), 0, surface.source.length, range, surface.colour.array, surface.source);
      surface.colour.needsUpdate = true;
    }
  }

  // Lower and upper corner of what is there, floors left out.
  bounds(frame) {
    const lower = [Infinity, Infinity, Infinity], upper = [-Infinity, -Infinity, -Infinity];
    const include = (x, y, z, r) => {
      [x, y, z].forEach((c, k) => {
        lower[k] = Math.min(lower[k], c - r);
        upper[k] = Math.max(upper[k], c + r);
      });
    };
    for (let i = 0; i < frame.surf.length; i += 3) include(frame.surf[i], frame.surf[i + 1], frame.surf[i + 2], 0);
    this.root.updateMatrixWorld(true);
    for (const {object} of this.rigid) {
      if (!object) continue;
      object.geometry.computeBoundingSphere();
      const {center, radius} = object.geometry.boundingSphere, c = center.clone().applyMatrix4(object.matrixWorld);
      include(c.x, c.y, c.z, 0.8 * radius);
    }
    // down to the floor, if it is near
    for (const {shape} of this.rigid) {
      const [,, z,, qx, qy] = shape.pose, level = shape.kind === 'half_space' && shape.body < 0 && qx * qx + qy * qy < 1e-6;
      if (level && z < lower[2] && lower[2] - z < 2 * Math.max(...upper.map((u, k) => u - lower[k]))) lower[2] = z;
    }
    return lower[0] <= upper[0] ? {lower, upper} : {lower: [-0.5, -0.5, 0], upper: [0.5, 0.5, 1]};
  }

  // Centre and radius of an item in the world.
  place(item) {
    const geometry = item.object.geometry;
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    item.object.updateWorldMatrix(true, false);
    return {centre: geometry.boundingSphere.center.clone().applyMatrix4(item.object.matrixWorld), radius: geometry.boundingSphere.radius};
  }

  // What the ray hits first: {item, point, index}; index is the nearest vertex of a deformable.
  hit(caster) {
    const objects = this.items.filter(i => i.object?.visible).map(i => i.object);
    const first = caster.intersectObjects(objects, false)[0];
    if (!first) return null;
    const item = this.items[first.object.userData.side];
    return {item, point: first.point, index: item.kind === 'deformable' ? this.nearest(item, first.point) : 0};
  }

  nearest(item, point) {
    const s = this.soft[item.side], p = s.surface.position.array, at = new Vector3();
    let best = 0, distance = Infinity;
    for (let i = 0; i < s.surface.source.length; i++) {
      const d = at.fromArray(p, 3 * i).distanceToSquared(point);
      if (d < distance) distance = d, best = i;
    }
    return s.body.source[s.surface.source[best]];
  }
}
