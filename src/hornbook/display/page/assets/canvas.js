// Drawing on the canvas: arrows, nodes, labels that do not run into each other. World places come from the data.

const RADIUS = 7;
const MANY = 1500; // arrows: above it a drag moves the finished picture, and draws again when it rests
const FONT = '12px system-ui, -apple-system, "Segoe UI", sans-serif';
const SMALL = '11px system-ui, -apple-system, "Segoe UI", sans-serif';
const WAYS = [0.5, 0.42, 0.58, 0.34, 0.66]; // where on its line a label may stand
const DASHES = {p: [], b: [], c: [9, 3, 2, 3], o: [1.5, 3.5], derived: [5, 4]};

function coloursOf(element) {
  const style = getComputedStyle(element);
  const named = (name) => style.getPropertyValue(`--hb-${name}`).trim();
  return {
    ink: named("ink"), soft: named("soft"), line: named("line"), ground: named("ground"), bad: named("bad"),
    accent: named("accent"), kinds: Array.from({length: 8}, (_, at) => named(`c${at}`)),
  };
}

function radiusOf(degree) {
  return RADIUS + Math.min(9, 1.4 * Math.sqrt(Math.max(0, degree - 1)));
}

// What is drawn, with places on the screen: worked out once for each change of what is shown, not for each frame.
function sceneOf(data, shown) {
  const degrees = new Map();
  const pairs = new Map();
  for (const index of shown.arrows.keys()) {
    const arrow = data.arrows[index];
    degrees.set(arrow.from, (degrees.get(arrow.from) || 0) + 1);
    degrees.set(arrow.to, (degrees.get(arrow.to) || 0) + 1);
    const pair = arrow.from < arrow.to ? `${arrow.from} ${arrow.to}` : `${arrow.to} ${arrow.from}`;
    (pairs.get(pair) || pairs.set(pair, []).get(pair)).push(index);
  }
  const nodes = [...shown.nodes].map((index) => {
    const node = data.nodes[index];
    return {index, node, x: node.x, y: node.y, degree: degrees.get(index) || 0, kind: kindOf(node), r: node.entity ? radiusOf(degrees.get(index) || 0) : 3};
  });
  nodes.sort((one, other) => one.degree - other.degree || one.index - other.index);
  const byIndex = new Map(nodes.map((one) => [one.index, one]));
  const arrows = [];
  for (const [pair, members] of pairs) {
    const [low] = pair.split(" ").map(Number);
    members.forEach((index, at) => {
      const arrow = data.arrows[index], state = shown.arrows.get(index);
      const from = byIndex.get(arrow.from), to = byIndex.get(arrow.to);
      const offset = (at - (members.length - 1) / 2) * (arrow.from === low ? 1 : -1);
      const style = state.role === "c" ? "c" : arrow.rule !== null ? "derived" : state.role;
      arrows.push({index, arrow, state, from, to, offset, at, style, label: labelOf(arrow, state)});
    });
  }
  arrows.sort((one, other) => (one.style === "c") - (other.style === "c") || one.index - other.index);
  return {nodes, arrows, byIndex};
}

function labelOf(arrow, state) {
  return `${arrow.not ? "not " : ""}${short(arrow.label, 28)}${state.role === "c" ? " (contested)" : ""}`;
}

// The line of an arrow on the screen: its two ends at the rims, and the control point where it is bent.
function curveOf(one, place) {
  const [ax, ay] = place(one.from), [bx, by] = place(one.to);
  const dx = bx - ax, dy = by - ay, length = Math.hypot(dx, dy);
  if (length < 0.5) return {loop: true, x: ax, y: ay - one.from.r - 10 - 6 * one.at, r: 10 + 5 * one.at};
  const bend = one.offset * 26;
  const cx = (ax + bx) / 2 - (dy / length) * bend, cy = (ay + by) / 2 + (dx / length) * bend;
  const start = toward(ax, ay, cx, cy, one.from.r + 1), end = toward(bx, by, cx, cy, one.to.r + 3);
  return {loop: false, ax: start[0], ay: start[1], bx: end[0], by: end[1], cx, cy, bent: bend !== 0, length};
}

function toward(x, y, tx, ty, by) {
  const length = Math.hypot(tx - x, ty - y) || 1, part = Math.min(by / length, 0.45);
  return [x + (tx - x) * part, y + (ty - y) * part];
}

function middleOf(curve) {
  return pointOf(curve, 0.5);
}

// A point of the line, so far along it.
function pointOf(curve, t) {
  if (curve.loop) return [curve.x, curve.y - curve.r];
  const u = 1 - t;
  return [u * u * curve.ax + 2 * u * t * curve.cx + t * t * curve.bx, u * u * curve.ay + 2 * u * t * curve.cy + t * t * curve.by];
}

function drawScene(context, scene, look) {
  const {width, height, transform, colours, ratio} = look;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const place = (node) => [node.x * transform.k + transform.x, node.y * transform.k + transform.y];
  const inside = ([x, y], room) => x > -room && y > -room && x < width + room && y < height + room;
  const drawn = [];
  for (const one of scene.arrows) {
    const [ax, ay] = place(one.from), [bx, by] = place(one.to);
    if (one.from === one.to && scene.arrows.length > MANY && transform.k < 0.3) continue;
    if (Math.max(ax, bx) < -40 || Math.max(ay, by) < -40 || Math.min(ax, bx) > width + 40 || Math.min(ay, by) > height + 40) continue;
    drawn.push([one, curveOf(one, place)]);
  }
  drawArrows(context, drawn, look);
  const near = scene.nodes.filter((node) => inside(place(node), 30));
  drawNodes(context, near, place, look);
  drawLabels(context, near, drawn, place, look);
}

// Arrows of one style are one path: thousands of them are then a few strokes.
function drawArrows(context, drawn, look) {
  const {colours, transform, picked} = look;
  const groups = new Map();
  for (const pair of drawn) {
    const one = pair[0];
    const lit = picked.arrow === one.index || (picked.node !== null && (one.from.index === picked.node || one.to.index === picked.node));
    const key = `${one.style}${one.state.sure ? "" : "?"}${lit ? "!" : ""}`;
    (groups.get(key) || groups.set(key, []).get(key)).push(pair);
  }
  const thin = drawn.length > MANY && transform.k < 0.5;
  for (const [key, members] of [...groups].sort()) {
    const style = key.replace(/[?!]/g, ""), lit = key.endsWith("!");
    context.strokeStyle = context.fillStyle = style === "c" ? colours.bad : lit ? colours.accent : colours.soft;
    context.globalAlpha = (key.includes("?") ? 0.7 : 1) * (style === "o" ? 0.8 : 1) * (thin && !lit && style !== "c" ? 0.45 : 1);
    context.lineWidth = (style === "c" ? 1.9 : 1.2) + (lit ? 0.8 : 0) - (thin ? 0.4 : 0);
    context.setLineDash(thin && style !== "c" ? [] : DASHES[style]);
    context.beginPath();
    for (const [, curve] of members) trace(context, curve);
    context.stroke();
    context.setLineDash([]);
    if (!thin || lit) {
      context.beginPath();
      for (const [one, curve] of members) { head(context, curve); if (one.arrow.not) bar(context, curve); }
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

function trace(context, curve) {
  if (curve.loop) { context.moveTo(curve.x + curve.r, curve.y); context.arc(curve.x, curve.y, curve.r, 0, 2 * Math.PI); return; }
  context.moveTo(curve.ax, curve.ay);
  if (curve.bent) context.quadraticCurveTo(curve.cx, curve.cy, curve.bx, curve.by); else context.lineTo(curve.bx, curve.by);
}

function head(context, curve) {
  if (curve.loop || curve.length < 30) return;
  const dx = curve.bx - curve.cx, dy = curve.by - curve.cy, length = Math.hypot(dx, dy) || 1;
  const x = dx / length, y = dy / length;
  context.moveTo(curve.bx + 2 * x, curve.by + 2 * y);
  context.lineTo(curve.bx - 7 * x + 3.6 * y, curve.by - 7 * y - 3.6 * x);
  context.lineTo(curve.bx - 7 * x - 3.6 * y, curve.by - 7 * y + 3.6 * x);
  context.closePath();
}

// A bar across the line: it is said not to be so.
function bar(context, curve) {
  if (curve.loop) return;
  const [x, y] = middleOf(curve), dx = curve.bx - curve.ax, dy = curve.by - curve.ay, length = Math.hypot(dx, dy) || 1;
  const nx = (-dy / length) * 6, ny = (dx / length) * 6, tx = (dx / length) * 1.1, ty = (dy / length) * 1.1;
  context.moveTo(x + nx + tx, y + ny + ty); context.lineTo(x - nx + tx, y - ny + ty);
  context.lineTo(x - nx - tx, y - ny - ty); context.lineTo(x + nx - tx, y + ny - ty); context.closePath();
}

// How large nodes are drawn: smaller from afar, the more so the more there are.
function sizeOf(k, count) {
  return Math.min(1, Math.max(count > 600 ? 0.3 : 0.45, k * 1.4));
}

function drawNodes(context, near, place, look) {
  const {colours, transform, picked} = look;
  const size = sizeOf(transform.k, near.length);
  const groups = new Map();
  for (const node of near) (groups.get(node.kind) || groups.set(node.kind, []).get(node.kind)).push(node);
  for (const [kind, members] of groups) {
    context.fillStyle = kind === -2 ? colours.soft : kind === -1 ? colours.kinds[7] : colours.kinds[kind % 7];
    context.beginPath();
    for (const node of members) {
      const [x, y] = place(node), r = node.r * (node.node.entity ? size : 1) * (node.node.entity ? 1 : 0.8);
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
    context.fill();
    if (size < 0.5) continue;
    context.strokeStyle = colours.ground;
    context.lineWidth = 1.5;
    context.stroke();
  }
  for (const index of [picked.node, look.centre]) {
    const node = near.find((one) => one.index === index);
    if (!node) continue;
    const [x, y] = place(node);
    context.strokeStyle = index === picked.node ? colours.accent : colours.ink;
    context.lineWidth = index === picked.node ? 2.5 : 1.2;
    context.beginPath();
    context.arc(x, y, node.r * size + 3.5, 0, 2 * Math.PI);
    context.stroke();
  }
}

// Names first, the best connected before the others, then what arrows say; whatever would cover another is left out.
function drawLabels(context, near, drawn, place, look) {
  const {colours, transform, picked, width, height} = look;
  const taken = new Taken(width, height);
  const size = sizeOf(transform.k, near.length), crowded = near.length > 600;
  for (const node of crowded ? [] : near) {
    const [x, y] = place(node), r = node.r * size + 1;
    taken.add(x - r, y - r, x + r, y + r);
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const first = (node) => (node.index === picked.node ? 2 : node.index === look.centre ? 1 : 0);
  const ordered = [...near].sort((one, other) => first(other) - first(one) || other.degree - one.degree || one.index - other.index);
  const most = crowded ? 40 : 400;
  let written = 0;
  context.font = FONT;
  for (const node of ordered) {
    if (written >= most) break;
    const must = first(node) === 2;
    if (!must && near.length > 60 && transform.k < 0.28 && node.degree < 4) continue;
    const text = short(node.node.name, 26), [x, y] = place(node), half = context.measureText(text).width / 2;
    const r = node.r * size;
    for (const at of [y + r + 10, y - r - 9]) {
      if (!must && !taken.free(x - half, at - 7, x + half, at + 7)) continue;
      taken.add(x - half - 2, at - 7, x + half + 2, at + 7);
      write(context, text, x, at, node.node.entity ? colours.ink : colours.soft, colours.ground);
      written += 1;
      break;
    }
  }
  context.font = SMALL;
  written = 0;
  const far = drawn.length > 400 && transform.k < 0.45;
  for (const [one, curve] of [...drawn].reverse()) {
    if (written >= most) break;
    const must = picked.arrow === one.index;
    if (!must && far && one.from.index !== picked.node && one.to.index !== picked.node) continue;
    const half = context.measureText(one.label).width / 2;
    if (!must && (curve.loop ? false : curve.length < 2 * half + 26)) continue;
    const points = WAYS.map((t) => pointOf(curve, t)).filter(([x, y]) => x > 0 && y > 0 && x < width && y < height);
    const room = points.find(([x, y]) => taken.free(x - half, y - 7, x + half, y + 7));
    if (!room) continue;
    const [x, y] = room;
    taken.add(x - half - 2, y - 7, x + half + 2, y + 7);
    write(context, one.label, x, y, one.style === "c" ? colours.bad : colours.soft, colours.ground);
    written += 1;
  }
}

function write(context, text, x, y, colour, ground) {
  context.lineWidth = 4;
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Which parts of the screen are taken: boxes in cells, so that a look-up is short.
class Taken {
  constructor(width, height) { this.cells = new Map(); this.size = 64; this.width = width; this.height = height; }
  each(x0, y0, x1, y1, act) {
    for (let x = Math.floor(x0 / this.size); x <= Math.floor(x1 / this.size); x += 1) {
      for (let y = Math.floor(y0 / this.size); y <= Math.floor(y1 / this.size); y += 1) if (act(`${x},${y}`)) return true;
    }
    return false;
  }
  add(...box) {
    this.each(...box, (cell) => { (this.cells.get(cell) || this.cells.set(cell, []).get(cell)).push(box); });
  }
  free(x0, y0, x1, y1) {
    return !this.each(x0, y0, x1, y1, (cell) => (this.cells.get(cell) || []).some((b) => b[0] < x1 && x0 < b[2] && b[1] < y1 && y0 < b[3]));
  }
}

// The node or arrow under a point of the screen.
function hit(scene, place, x, y, room) {
  let best = null, least = Infinity;
  for (const node of scene.nodes) {
    const [nx, ny] = place(node), away = Math.hypot(nx - x, ny - y) - node.r;
    if (away < room && away < least) { best = {node: node.index}; least = away; }
  }
  if (best) return best;
  for (const one of scene.arrows) {
    const away = distance(curveOf(one, place), x, y);
    if (away < room && away < least) { best = {arrow: one.index}; least = away; }
  }
  return best;
}

function distance(curve, x, y) {
  if (curve.loop) return Math.abs(Math.hypot(curve.x - x, curve.y - y) - curve.r);
  let least = Infinity, [px, py] = [curve.ax, curve.ay];
  const steps = curve.bent ? 8 : 1;
  for (let at = 1; at <= steps; at += 1) {
    const t = at / steps, u = 1 - t;
    const qx = curve.bent ? u * u * curve.ax + 2 * u * t * curve.cx + t * t * curve.bx : curve.bx;
    const qy = curve.bent ? u * u * curve.ay + 2 * u * t * curve.cy + t * t * curve.by : curve.by;
    least = Math.min(least, toSegment(px, py, qx, qy, x, y));
    [px, py] = [qx, qy];
  }
  return least;
}

function toSegment(ax, ay, bx, by, x, y) {
  const dx = bx - ax, dy = by - ay, size = dx * dx + dy * dy;
  const t = size ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / size)) : 0;
  return Math.hypot(ax + t * dx - x, ay + t * dy - y);
}
