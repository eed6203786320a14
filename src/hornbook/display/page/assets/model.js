// What is shown at a position of the two clocks: plain functions over the data, no drawing.

const STRENGTH = {c: 4, p: 3, b: 2, o: 1};

// The last position at whose stop or after it an instant (milliseconds) lies.
function positionOf(stops, at) {
  let low = 0, high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stops[middle].at <= at) low = middle + 1; else high = middle;
  }
  return low;
}

// The pieces of all lines at a position: [line index, piece].
function piecesAt(data, valid, known) {
  const found = [];
  data.lines.forEach((line, index) => {
    for (const piece of line.pieces) {
      if (piece[0] <= known && known < piece[1] && piece[2] <= valid && valid < piece[3]) found.push([index, piece]);
    }
  });
  return found;
}

// What each arrow is at a position: {role, sure, claims, lines}. Of a claim that two lines see the stronger word counts.
function arrowsAt(data, valid, known) {
  const found = new Map();
  for (const [line, piece] of piecesAt(data, valid, known)) {
    for (const [arrow, said, claims] of piece[5]) {
      const role = said[0], sure = !said.endsWith("?");
      const before = found.get(arrow);
      if (!before) {
        found.set(arrow, {role, sure, claims: [...claims], lines: [line]});
      } else {
        if (STRENGTH[role] > STRENGTH[before.role]) before.role = role;
        before.sure = before.sure || sure;
        before.claims.push(...claims.filter((one) => !before.claims.includes(one)));
        before.lines.push(line);
      }
    }
  }
  return found;
}

// The kind by which a node is filtered and coloured: an index of types, -1 for an entity without one, -2 for a value.
function kindOf(node) {
  return node.entity ? (node.type === null ? -1 : node.type) : -2;
}

function kindName(data, kind) {
  return kind === -2 ? "value" : kind === -1 ? "entity" : data.types[kind];
}

// Everything on screen: nodes by index, arrows with what they are. `view`: {valid, known, hidden, centre, depth}.
function shownAt(data, view) {
  const arrows = new Map();
  const joined = new Map();
  const join = (one, other) => (joined.get(one) || joined.set(one, []).get(one)).push(other);
  for (const [index, state] of arrowsAt(data, view.valid, view.known)) {
    const arrow = data.arrows[index];
    if (view.hidden.has(kindOf(data.nodes[arrow.from])) || view.hidden.has(kindOf(data.nodes[arrow.to]))) continue;
    arrows.set(index, state);
    join(arrow.from, arrow.to);
    join(arrow.to, arrow.from);
  }
  const nodes = view.centre === null ? new Set(joined.keys()) : reached(joined, view.centre, view.depth);
  for (const index of [...arrows.keys()]) {
    if (!nodes.has(data.arrows[index].from) || !nodes.has(data.arrows[index].to)) arrows.delete(index);
  }
  return {nodes, arrows};
}

function reached(joined, centre, depth) {
  const found = new Set([centre]);
  let edge = [centre];
  for (let step = 0; step < depth; step += 1) {
    const next = [];
    for (const node of edge) {
      for (const other of joined.get(node) || []) {
        if (!found.has(other)) { found.add(other); next.push(other); }
      }
    }
    edge = next;
  }
  return found;
}

// How a claim stood at a known position: [position, disposition, window, markers].
function stateOf(claim, known) {
  let found = claim.states[0];
  for (const state of claim.states) if (state[0] <= known) found = state;
  return found;
}

// A date as it is read: an instant to the second, without the letters of its format.
function brief(text) {
  return text.length > 10 ? text.slice(0, 19).replace("T", " ") : text;
}

// The stretch of a clock that a position stands for, in words.
function stretch(clock, position) {
  const since = position > 0 ? brief(clock.stops[position - 1].text) : null;
  const until = position < clock.stops.length ? brief(clock.stops[position].text) : null;
  if (since && until) return `${since} to ${until}`;
  return since ? `since ${since}` : until ? `before ${until}` : "at all times";
}

// Nodes whose name, or another name of theirs, has what is typed in it; those that begin with it first.
function search(data, typed, most) {
  const wanted = typed.trim().toLocaleLowerCase();
  if (!wanted) return [];
  const found = [];
  data.nodes.forEach((node, index) => {
    const places = [node.name, ...node.also].map((name) => name.toLocaleLowerCase().indexOf(wanted)).filter((at) => at >= 0);
    if (places.length) found.push([Math.min(...places) ? 1 : 0, node.entity ? 0 : 1, node.name.length, index]);
  });
  found.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2] || one[3] - other[3]);
  return found.slice(0, most).map((one) => one[3]);
}
