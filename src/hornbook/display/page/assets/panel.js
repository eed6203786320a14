// The panel: what is said of a node or by an arrow, with who said it, when, in which words, and how it stands.

const ROLES = {p: "believed", b: "believed too", c: "contested", o: "not believed"};

function panelFor(data, view, picked, act) {
  return picked.node !== null ? aboutNode(data, view, picked.node, act) : aboutArrow(data, view, picked.arrow, act);
}

function aboutNode(data, view, index, act) {
  const node = data.nodes[index];
  const pieces = piecesAt(data, view.valid, view.known);
  const own = pieces.filter(([line]) => data.lines[line].node === index);
  const from = [...arrowsAt(data, view.valid, view.known)].filter(([arrow]) => data.arrows[arrow].to === index && data.arrows[arrow].from !== index);
  return [
    make("h2", {tabindex: -1}, words(node.name, 120)),
    make("p", {class: "hb-soft"}, kindName(data, kindOf(node)), ...(node.also.length ? [", also ", words(node.also.join(", "), 160)] : [])),
    make("p", {class: "hb-acts"}, actsOn(node, index, act)),
    own.length ? make("h3", {}, "What is said of it") : null,
    own.map(([line, piece]) => aboutLine(data, view, line, piece, act)),
    from.length ? make("h3", {}, "What leads here") : null,
    make("ul", {}, from.map(([arrow, state]) => make("li", {}, sideButton(data, arrow, state, act, true)))),
    own.length || from.length ? null : make("p", {class: "hb-soft"}, "Nothing is said of it at these times."),
  ];
}

function actsOn(node, index, act) {
  const found = [make("button", {type: "button", onclick: () => act.around(index)}, "Look around it")];
  if (act.open && node.entity) found.push(make("button", {type: "button", onclick: () => act.open({kind: "entity", id: node.id, name: node.name})}, "Open its page"));
  return found;
}

function badge(role) {
  return make("span", {class: `hb-badge hb-role-${role}`}, ROLES[role]);
}

function aboutLine(data, view, line, piece, act) {
  const own = data.lines[line];
  return make("section", {class: "hb-line"},
    make("h4", {}, words(own.predicate, 60), " ", make("span", {class: `hb-status hb-${piece[4].toLowerCase()}`}, piece[4]), " ", make("span", {class: "hb-soft"}, validPiece(data, piece))),
    make("ul", {}, piece[5].map(([arrow, role, claims]) => make("li", {}, sideButton(data, arrow, {role: role[0], sure: !role.endsWith("?"), claims}, act, false)))));
}

function validPiece(data, piece) {
  const since = piece[2] > 0 ? brief(data.valid.stops[piece[2] - 1].text) : null;
  const until = piece[3] <= data.valid.stops.length ? brief(data.valid.stops[piece[3] - 1].text) : null;
  return since && until ? `${since} to ${until}` : since ? `since ${since}` : until ? `until ${until}` : "";
}

function sideButton(data, index, state, act, back) {
  const arrow = data.arrows[index];
  const far = data.nodes[back ? arrow.from : arrow.to];
  return make("button", {type: "button", class: "hb-side", onclick: () => act.pick({node: null, arrow: index})},
    words(far.name, 80), back ? [" ", words(arrow.label, 40)] : null, arrow.not ? " (said not to be so)" : null, " ", badge(state.role),
    state.sure ? null : make("span", {class: "hb-soft"}, " possibly"), arrow.rule !== null ? make("span", {class: "hb-soft"}, " derived") : null);
}

function aboutArrow(data, view, index, act) {
  const arrow = data.arrows[index];
  const state = arrowsAt(data, view.valid, view.known).get(index);
  const nodeButton = (node) => make("button", {type: "button", class: "hb-name", onclick: () => act.pick({node, arrow: null})}, words(data.nodes[node].name, 80));
  const head = make("h2", {tabindex: -1}, nodeButton(arrow.from), ` ${arrow.not ? "not " : ""}`, words(arrow.label, 60), " ", nodeButton(arrow.to));
  if (!state) return [head, make("p", {class: "hb-soft"}, "Not said at these times.")];
  const rivals = rivalsOf(data, view, index);
  return [
    head,
    make("p", {}, badge(state.role), state.sure ? null : make("span", {class: "hb-soft"}, " possibly: nobody said since when")),
    lineActs(data, state.lines[0], act),
    make("ol", {class: "hb-claims"}, state.claims.map((claim) => make("li", {}, aboutClaim(data, view, claim, act)))),
    rivals.length ? make("h3", {}, state.role === "c" ? "Against it" : "Said beside it") : null,
    make("ul", {}, rivals.map(([other, role]) => make("li", {}, sideButton(data, other, role, act, false)))),
  ];
}

function lineActs(data, line, act) {
  if (!act.open) return null;
  const own = data.lines[line], subject = data.nodes[own.node];
  return make("p", {class: "hb-acts"}, make("button", {type: "button", onclick: () => act.open({kind: "line", subject: subject.entity ? subject.id : subject.name, predicate: own.predicate})}, "Open the line"));
}

// The other sides of the lines that an arrow is on.
function rivalsOf(data, view, index) {
  const found = new Map();
  for (const [, piece] of piecesAt(data, view.valid, view.known)) {
    if (!piece[5].some((side) => side[0] === index)) continue;
    for (const [arrow, role, claims] of piece[5]) if (arrow !== index) found.set(arrow, {role: role[0], sure: !role.endsWith("?"), claims});
  }
  return [...found];
}

function aboutClaim(data, view, index, act) {
  const claim = data.claims[index];
  const [, disposition, window, markers] = stateOf(claim, view.known);
  const row = (name, value) => (value === undefined || value === null || value === "" ? null : [make("dt", {}, name), make("dd", {}, value)]);
  return [
    claim.words ? make("blockquote", {}, words(claim.words, 2000, "q")) : null,
    claim.rule ? make("p", {}, "Follows by the rule") : null,
    claim.rule ? words(claim.rule, 2000, "code") : null,
    make("dl", {},
      row("says", [words(claim.subject, 80), claim.not ? " not " : " ", words(claim.predicate, 60), " ", words(claim.value, 400)]),
      row("said by", claim.by && words(claim.by, 80)), row("source", claim.source && words(claim.source, 200)),
      row("said on", claim.said && brief(claim.said)), row("valid", window), row("known since", claim.known && brief(claim.known)), row("stands as", disposition),
      row("provenance", claim.provenance), row("extractor", claim.extractor && words(claim.extractor, 80)),
      row("mood", claim.mood), row("confidence", claim.confidence === undefined ? null : String(claim.confidence)),
      row("remarks", markers.length ? markers.join(", ") : null), row("claim", make("code", {}, claim.ref))),
    claim.premises && claim.premises.length ? [make("p", {}, "because"), make("ul", {class: "hb-proof"}, claim.premises.map((one) => premise(data, one, new Set([index]))))] : null,
    act.open && !claim.rule ? make("button", {type: "button", onclick: () => act.open({kind: "claim", ref: claim.ref})}, "Open the claim") : null,
  ];
}

// A premise with the words it rests on; one that is derived itself with its own premises below it.
function premise(data, index, above) {
  const claim = data.claims[index];
  const below = (claim.premises || []).filter((one) => !above.has(one));
  return make("li", {}, words(claim.subject, 80), claim.not ? " not " : " ", words(claim.predicate, 60), " ", words(claim.value, 120),
    claim.words ? [" ", words(claim.words, 400, "q")] : null, claim.by ? [make("span", {class: "hb-soft"}, " said by "), words(claim.by, 80)] : null,
    claim.rule ? make("span", {class: "hb-soft"}, " derived") : null,
    below.length ? make("ul", {class: "hb-proof"}, below.map((one) => premise(data, one, new Set([...above, index])))) : null);
}
