// surface.js: triangles that move: normals that are smooth where the surface is and sharp at its edges, edges of the mesh.
import {BufferAttribute, BufferGeometry} from 'three';

const CREASE = Math.cos(38 * Math.PI / 180);

function faceNormals(position, tri) {
  const normals = new Float32Array(tri.length);
  for (let i = 0; i < tri.length; i += 3) {
    const a = 3 * tri[i], b = 3 * tri[i + 1], c = 3 * tri[i + 2];
    const ux = position[b] - position[a], uy = position[b + 1] - position[a + 1], uz = position[b + 2] - position[a + 2];
    const vx = position[c] - position[a], vy = position[c + 1] - position[a + 1], vz = position[c + 2] - position[a + 2];
    normals[i] = uy * vz - uz * vy, normals[i + 1] = uz * vx - ux * vz, normals[i + 2] = ux * vy - uy * vx;
  }
  return normals;
}

// Corners of one vertex whose faces meet at a sharp edge get vertices of their own. Returns source (vertex of each new one) and corners.
function split(position, tri) {
  const normals = faceNormals(position, tri), n = position.length / 3;
  const faces = Array.from({length: n}, () => []);
  for (let k = 0; k < tri.length; k++) faces[tri[k]].push(k);
  const corners = new Uint32Array(tri.length), source = [];
  const unit = f => {
    const x = normals[3 * f], y = normals[3 * f + 1], z = normals[3 * f + 2], s = 1 / (Math.hypot(x, y, z) || 1);
    return [s * x, s * y, s * z];
  };
  for (let v = 0; v < n; v++) {
    // groups of faces, each within the crease of one of the group
    const groups = [];
    for (const corner of faces[v]) {
      const m = unit(Math.floor(corner / 3));
      const near = groups.filter(g => g.normals.some(o => o[0] * m[0] + o[1] * m[1] + o[2] * m[2] > CREASE));
      const joined = {normals: [m], corners: [corner]};
      for (const g of near) {
        joined.normals.push(...g.normals), joined.corners.push(...g.corners);
        groups.splice(groups.indexOf(g), 1);
      }
      groups.push(joined);
    }
    for (const g of groups) {
      for (const corner of g.corners) corners[corner] = source.length;
      source.push(v);
    }
  }
  return {source: Uint32Array.from(source), corners};
}

function uniqueEdges(tri) {
  const seen = new Set(), edges = [];
  for (let i = 0; i < tri.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const a = tri[i + k], b = tri[i + (k + 1) % 3], key = a < b ? a * 4194304 + b : b * 4194304 + a;
      if (!seen.has(key)) seen.add(key), edges.push(a, b);
    }
  return Uint32Array.from(edges);
}

export class Surface {
  // position: [3 n] now, tri: [3 m]
  constructor(position, tri) {
    this.tri = tri;
    const {source, corners} = split(position, tri);
    this.source = source;
    this.corners = corners;
    const n = source.length;
    this.position = new BufferAttribute(new Float32Array(3 * n), 3);
    this.normal = new BufferAttribute(new Float32Array(3 * n), 3);
    this.colour = new BufferAttribute(new Float32Array(3 * n).fill(1), 3);
    this.geometry = new BufferGeometry();
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setAttribute('color', this.colour);
    this.geometry.setIndex(new BufferAttribute(corners, 1));
    this.edges = new BufferGeometry();
    this.edges.setAttribute('position', this.position);
    // an edge runs between any copies of its ends: positions are the same
    const first = new Uint32Array(position.length / 3);
    source.forEach((v, i) => first[v] = i);
    this.edges.setIndex(new BufferAttribute(uniqueEdges(tri).map(v => first[v]), 1));
    this.move(position);
  }

  move(position) {
    const {source, corners} = this, p = this.position.array, m = this.normal.array;
    for (let i = 0; i < source.length; i++) {
      const v = 3 * source[i];
      p[3 * i] = position[v], p[3 * i + 1] = position[v + 1], p[3 * i + 2] = position[v + 2];
    }
    const faces = faceNormals(p, corners);
    m.fill(0);
    for (let k = 0; k < corners.length; k++) {
      const f = 3 * Math.floor(k / 3), c = 3 * corners[k];
      m[c] += faces[f], m[c + 1] += faces[f + 1], m[c + 2] += faces[f + 2];
    }
    for (let i = 0; i < m.length; i += 3) {
      const s = 1 / (Math.hypot(m[i], m[i + 1], m[i + 2]) || 1);
      m[i] *= s, m[i + 1] *= s, m[i + 2] *= s;
    }
    this.position.needsUpdate = this.normal.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    this.edges.boundingSphere = this.geometry.boundingSphere;
  }
}
