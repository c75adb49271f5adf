'use strict';
(() => {
  const started = performance.now();
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const add = (parent, tag, text, className) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    parent.append(node);
    return node;
  };

  // --- the records (harness/report/recording.hpp)
  const NO_OP = 0xffff, NO_TILE = 0xffff;
  const pageView = new DataView(bytesOf(data.pages).buffer);
  const spanView = new DataView(bytesOf(data.spans).buffer);
  const pageCount = pageView.byteLength / 12, spanCount = spanView.byteLength / 16;
  const pageAt = (i) => ({
    step: pageView.getUint32(i * 12, true), ring: pageView.getUint8(i * 12 + 4),
    state: pageView.getUint8(i * 12 + 5), page: pageView.getUint16(i * 12 + 6, true),
    command: pageView.getUint8(i * 12 + 8), role: pageView.getUint8(i * 12 + 9),
    op: pageView.getUint16(i * 12 + 10, true),
  });
  const spanAt = (i) => ({
    begin: spanView.getUint32(i * 16, true), end: spanView.getUint32(i * 16 + 4, true),
    tile: spanView.getUint16(i * 16 + 8, true), target: spanView.getUint16(i * 16 + 10, true),
    kind: spanView.getUint8(i * 16 + 12), detail: spanView.getUint8(i * 16 + 13),
    op: spanView.getUint16(i * 16 + 14, true),
  });
  const lastStep = Math.max(1, data.last_step);
  // Per ring and page: its changes, in order of time; drawn as runs of one colour.
  const changes = data.rings.map((ring) => Array.from({length: ring.pages}, () => []));
  const steps = [];
  for (let i = 0; i < pageCount; ++i) {
    const record = pageAt(i);
    if (record.ring < changes.length && record.page < changes[record.ring].length)
      changes[record.ring][record.page].push(record);
    if (!steps.length || steps[steps.length - 1] !== record.step) steps.push(record.step);
  }
  const finding = data.finding;
  const guiltyStep = Math.min(finding.step, lastStep);
  const commandName = (role, id) => (data.commands[role] || {})[id] || '';
  const opText = (op) => (op === NO_OP ? '' : 'op ' + op);

  // --- words
  document.title = 'cqfuzz: ' + finding.headline;
  const headline = $('headline');
  add(headline, 'span', finding.verdict, 'verdict' + (finding.verdict === 'pass' ? ' pass' : ''));
  headline.append(': ' + finding.headline);
  for (const [label, value] of data.facts) {
    add($('facts'), 'dt', label);
    const cell = add($('facts'), 'dd', label === 'replay' ? undefined : value);
    if (label !== 'replay') continue;
    const box = add(cell, 'div', undefined, 'replay');
    add(box, 'code', value).tabIndex = 0;
    const copy = add(box, 'button', 'Copy');
    copy.addEventListener('click', async () => {
      try { await navigator.clipboard.writeText(value); copy.textContent = 'Copied'; }
      catch { copy.textContent = 'Select and copy it'; }
    });
  }
  const list = add($('story'), 'ol', undefined, finding.verdict === 'hang' ? 'chain' : 'story');
  for (const line of data.story) if (line !== finding.headline) add(list, 'li', line);
  if (!data.story.length) add($('story'), 'p', 'Nothing was found.', 'note');
  // The wait-for graph: a node a row, an edge down to the next or bent round to whom it names.
  const drawWaits = (waits) => {
    if (!waits.length) return;
    $('waits-section').hidden = false;
    const NS = 'http://www.w3.org/2000/svg', ROW_H = 62, BOX_W = 190, BOX_H = 26;
    const draw = (parent, tag, attributes, text) => {
      const node = document.createElementNS(NS, tag);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      if (text !== undefined) node.textContent = text;
      parent.append(node);
      return node;
    };
    const nodes = [];
    const rowOf = (tile) => (nodes.includes(tile) ? nodes.indexOf(tile) : nodes.push(tile) - 1);
    waits.forEach((wait) => { rowOf(wait.who); if (wait.on >= 0) rowOf(wait.on); });
    const width = 1200, height = nodes.length * ROW_H;
    const name = (tile) => (data.tile_roles[tile] === 0 && data.tiles[tile].startsWith('host') ? 'host' : data.tiles[tile]);
    const svg = draw($('waits'), 'svg', {viewBox: `0 0 ${width} ${height}`, width, role: 'img',
      'aria-label': waits.map((w) => `${name(w.who)} waits for ${w.on < 0 ? '' : name(w.on) + ': '}${w.reason}`).join('; ')});
    const marker = draw(draw(svg, 'defs', {}), 'marker', {id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto'});
    draw(marker, 'path', {d: 'M0 0L8 4L0 8z'});
    const top = (row) => row * ROW_H + 4;
    // Follow the edges from the first: an edge back into the way is the cycle.
    const next = new Map(waits.filter((w) => w.on >= 0).map((w) => [w.who, w.on]));
    const way = [];
    for (let at = waits[0].who; at !== undefined && !way.includes(at); at = next.get(at)) way.push(at);
    const back = next.get(way[way.length - 1]);
    const inCycle = new Set(back === undefined ? [] : way.slice(way.indexOf(back)));
    waits.forEach((wait, i) => {
      const a = rowOf(wait.who), b = wait.on < 0 ? -1 : rowOf(wait.on);
      const edge = inCycle.has(wait.who) && inCycle.has(wait.on) ? 'cycle' : 'edge';
      if (b === a + 1) {
        draw(svg, 'path', {class: edge, d: `M${BOX_W / 2} ${top(a) + BOX_H}V${top(b) - 1}`, 'marker-end': 'url(#tip)'});
      } else if (b >= 0) {
        const out = BOX_W + 24 + 14 * (i % 3), y = top(a) + BOX_H / 2 + 5, end = top(b) + BOX_H / 2 - 5;
        draw(svg, 'path', {class: edge, d: `M${BOX_W} ${y}C${out + 30} ${y} ${out + 30} ${end} ${BOX_W + 1} ${end}`, 'marker-end': 'url(#tip)'});
      }
      const words = draw(svg, 'text', {class: 'reason', x: b >= 0 && b !== a + 1 ? BOX_W + 60 : BOX_W / 2 + 10, y: top(a) + BOX_H + 18}, 'waits for ' + wait.reason.replace(/ \([^)]*\)/, ''));
      draw(words, 'title', {}, wait.reason);
    });
    nodes.forEach((tile, row) => {
      const box = draw(svg, 'g', {class: way[way.length - 1] === tile ? 'last' : ''});
      draw(box, 'rect', {x: 1, y: top(row), width: BOX_W - 2, height: BOX_H, rx: 6});
      draw(box, 'text', {x: 10, y: top(row) + 18}, name(tile));
    });
  };
  drawWaits(data.waits);
  data.scenario.forEach((line, i) => {
    const here = i >= data.guilty_lines[0] && i < data.guilty_lines[1];
    const node = add($('scenario'), 'span', line || ' ', here ? 'here' : '');
    if (here && i === data.guilty_lines[0]) node.id = 'guilty-op';
  });
  const guilty = $('guilty-op');
  if (guilty) $('scenario').scrollTop = guilty.offsetTop - $('scenario').offsetTop - 60;
  $('footer').textContent = data.footer +
    (data.dropped ? `; the ${data.dropped} oldest records are not in this page` : '');
  const legend = (id, names, prefix) => names.forEach((name, i) => {
    const item = add($(id), 'span');
    add(item, 'i').style.background = `var(--${prefix}${i})`;
    item.append(name);
  });
  legend('states', data.states, 's');
  legend('kinds', data.kinds, 'k');

  // --- time
  // A little room behind the end, so that a mark there is whole.
  const whole = lastStep + 1 + Math.ceil(lastStep / 50);
  let now = guiltyStep, from = 0, to = whole;
  const scrub = $('scrub');
  scrub.max = String(lastStep);
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
  const span = () => to - from;
  const zoom = (factor, around) => {
    const size = clamp(span() * factor, Math.min(20, whole), whole);
    from = clamp(around - (around - from) * size / span(), 0, whole - size);
    to = from + size;
    paint();
  };
  const goTo = (step) => {
    now = clamp(Math.round(step), 0, lastStep);
    if (now < from || now >= to) {
      const size = span();
      from = clamp(now - size / 2, 0, whole - size);
      to = from + size;
    }
    paint();
  };
  // Index of the first of the sorted `steps` that is > step.
  const after = (step) => {
    let low = 0, high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle] <= step) low = middle + 1; else high = middle;
    }
    return low;
  };
  const move = (events) => {
    if (!steps.length) return goTo(now + events);
    const at = after(now) - 1;
    const exact = at >= 0 && steps[at] === now;
    const next = events > 0 ? at + events : at + events + (exact ? 0 : 1);
    goTo(next < 0 ? 0 : next >= steps.length ? lastStep : steps[next]);
  };

  // --- drawing
  const canvases = [];
  const makeCanvas = (node, height, draw) => {
    node.style.height = height + 'px';
    const entry = {node, height, draw, width: 0, picture: document.createElement('canvas'), key: ''};
    canvases.push(entry);
    const stepAt = (event) => from + (event.clientX - node.getBoundingClientRect().left) / entry.width * span();
    node.addEventListener('pointerdown', (event) => { node.setPointerCapture(event.pointerId); goTo(stepAt(event)); });
    node.addEventListener('pointermove', (event) => { if (event.buttons & 1) goTo(stepAt(event)); });
    node.addEventListener('wheel', (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, stepAt(event));
    }, {passive: false});
  };
  const x = (step, width) => (step - from) / span() * width;
  const lastBefore = (records, step) => {
    let low = 0, high = records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (records[middle].step <= step) low = middle + 1; else high = middle;
    }
    return low - 1;
  };
  const drawRing = (ring) => (g, width, height) => {
    const colours = data.states.map((_, i) => css('--s' + i));
    const pages = data.rings[ring].pages, row = height / pages;
    g.fillStyle = colours[0];
    g.fillRect(0, 0, width, height);
    for (let page = 0; page < pages; ++page) {
      const records = changes[ring][page];
      let i = Math.max(0, lastBefore(records, from));
      while (i < records.length && records[i].step < to) {
        const left = x(records[i].step, width);
        // Of changes within one pixel the last is seen.
        let next = i + 1;
        while (next < records.length && x(records[next].step, width) < left + 0.5) ++next;
        const end = x(next < records.length ? records[next].step : lastStep + 1, width);
        const state = records[next - 1].state;
        if (state !== 0) {
          g.fillStyle = colours[state];
          g.fillRect(left, page * row, Math.max(end - left, 0.7), Math.max(row - (row > 3 ? 1 : 0), 0.5));
        }
        i = next;
      }
    }
    const block = data.rings[ring].pages_per_block;
    g.fillStyle = css('--ground');
    for (let page = block; page < pages; page += block) g.fillRect(0, page * row - 1, width, 1);
    if (finding.ring === ring && finding.page >= 0) {
      const at = x(guiltyStep, width);
      g.strokeStyle = css('--bad');
      g.lineWidth = 2;
      g.strokeRect(at - 7, finding.page * row - 3, 14, row + 5);
      g.beginPath(); g.moveTo(at, 0); g.lineTo(at, height); g.lineWidth = 1; g.stroke();
    }
  };
  const rowsOf = new Map();
  for (let i = 0; i < spanCount; ++i) {
    const tile = spanView.getUint16(i * 16 + 8, true);
    if (!rowsOf.has(tile)) rowsOf.set(tile, []);
    rowsOf.get(tile).push(i);
  }
  const rows = [...rowsOf.keys()].sort((a, b) => a - b);
  const ROW = 26;
  const drawTimeline = (g, width, height) => {
    const colours = data.kinds.map((_, i) => css('--k' + i));
    g.fillStyle = css('--panel');
    g.fillRect(0, 0, width, height);
    g.font = '11px system-ui, sans-serif';
    rows.forEach((tile, index) => {
      const top = index * ROW;
      // One transaction a pixel and channel is enough to see that there is one.
      const drawn = [-1, -1, -1, -1, -1, -1];
      for (const i of rowsOf.get(tile)) {
        const begin = spanView.getUint32(i * 16, true);
        const end = spanView.getUint32(i * 16 + 4, true) || lastStep + 1;
        if (end < from || begin >= to) continue;
        const kind = spanView.getUint8(i * 16 + 12);
        const left = x(begin, width), right = Math.max(x(end, width), left + 1);
        if (right < drawn[kind] + 0.5) continue;
        drawn[kind] = right;
        g.fillStyle = colours[kind];
        const noc = kind >= 2 ? spanView.getUint8(i * 16 + 13) : 0;
        if (kind < 2) g.fillRect(left, top + 1, right - left, 11);
        else g.fillRect(left, top + 13 + noc * 6, right - left, 5);
      }
      const name = data.tiles[tile] || 'tile ' + tile;
      g.fillStyle = css('--panel');
      g.fillRect(0, top + 1, g.measureText(name).width + 8, 12);
      g.fillStyle = css('--text');
      g.fillText(name, 4, top + 10);
    });
    g.fillStyle = css('--bad');
    g.fillRect(x(guiltyStep, width), 0, 1, height);
  };
  const fit = (entry) => {
    const ratio = window.devicePixelRatio || 1;
    entry.width = entry.node.clientWidth;
    for (const canvas of [entry.node, entry.picture]) {
      canvas.width = Math.max(1, Math.round(entry.width * ratio));
      canvas.height = Math.max(1, Math.round(entry.height * ratio));
    }
    entry.key = '';
  };
  // A scrub moves the cursor over a picture that is drawn only when the window of time changes.
  const paintCanvas = (entry) => {
    const ratio = window.devicePixelRatio || 1;
    const key = from + ':' + to;
    if (entry.key !== key) {
      const g = entry.picture.getContext('2d');
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.clearRect(0, 0, entry.width, entry.height);
      entry.draw(g, entry.width, entry.height);
      entry.key = key;
    }
    const g = entry.node.getContext('2d');
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(entry.picture, 0, 0);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = css('--text');
    g.fillRect(x(now, entry.width) - 0.5, 0, 1.5, entry.height);
  };

  // --- tables
  const stateOf = (ring, page) => {
    const records = changes[ring][page];
    const i = lastBefore(records, now);
    return i < 0 ? null : records[i];
  };
  const fillPages = () => {
    const box = $('pages');
    box.textContent = '';
    data.rings.forEach((ring, r) => {
      const table = add(box, 'table');
      add(table, 'caption', `${ring.name}, step ${now}`);
      const head = add(add(table, 'thead'), 'tr');
      for (const word of ['Page', 'State', 'Since step', 'By', 'For']) add(head, 'th', word).scope = 'col';
      const body = add(table, 'tbody');
      for (let page = 0; page < ring.pages; ++page) {
        const record = stateOf(r, page);
        const bad = finding.ring === r && finding.page === page;
        const row = add(body, 'tr', undefined, bad ? 'bad' : '');
        if (bad) row.dataset.guilty = 'true';
        add(row, 'th', page + (bad ? ' (the finding)' : '')).scope = 'row';
        add(row, 'td', record ? data.states[record.state] : data.states[0]);
        add(row, 'td', record ? record.step : '');
        add(row, 'td', record ? data.roles[record.role] : '');
        add(row, 'td', record ? [commandName(record.role, record.command), opText(record.op)].filter(Boolean).join(' of ') : '');
      }
    });
  };
  const fillSpans = () => {
    const box = $('spans');
    box.textContent = '';
    const table = add(box, 'table');
    add(table, 'caption', `Under way at step ${now}`);
    const head = add(add(table, 'thead'), 'tr');
    for (const word of ['Core', 'What', 'From step', 'To step', 'Target', 'For']) add(head, 'th', word).scope = 'col';
    const body = add(table, 'tbody');
    let shown = 0;
    for (let i = 0; i < spanCount && shown < 200; ++i) {
      const s = spanAt(i);
      if (s.begin > now || (s.end !== 0 && s.end < now)) continue;
      ++shown;
      const row = add(body, 'tr');
      add(row, 'th', data.tiles[s.tile]).scope = 'row';
      add(row, 'td', s.kind === 0 ? commandName(data.tile_roles[s.tile], s.detail) || 'command'
        : data.kinds[s.kind] + (s.kind >= 2 ? ', NoC ' + s.detail : ''));
      add(row, 'td', s.begin);
      add(row, 'td', s.end === 0 ? 'not done' : s.end);
      add(row, 'td', s.kind < 2 ? '' : s.target === NO_TILE ? 'multicast' : data.tiles[s.target]);
      add(row, 'td', opText(s.op));
    }
  };
  let tablesDue = 0;
  const paint = () => {
    scrub.value = String(now);
    $('now').textContent = `step ${now} of ${lastStep}` + (now === guiltyStep && finding.verdict !== 'pass' ? ', the finding' : '');
    canvases.forEach(paintCanvas);
    clearTimeout(tablesDue);
    tablesDue = setTimeout(() => { fillPages(); fillSpans(); }, 60);
  };

  // --- what it is made of
  data.rings.forEach((ring, r) => {
    const box = add($('rings'), 'div', undefined, 'ring');
    const title = add(box, 'h3', ring.name + ' ', finding.ring === r ? 'guilty' : '');
    add(title, 'small', `${ring.producer} → ${ring.consumer}, ${ring.pages} pages of ${ring.page_size} bytes, blocks of ${ring.pages_per_block}` +
      (finding.ring === r && finding.page >= 0 ? `; page ${finding.page} is the finding` : ''));
    const node = add(box, 'canvas');
    node.tabIndex = 0;
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', `Whose each page of ${ring.name} is over time; the table below says the same`);
    if (finding.ring === r && finding.page >= 0) node.dataset.guiltyPage = String(finding.page);
    makeCanvas(node, clamp(ring.pages * 9, 40, 320), drawRing(r));
  });
  makeCanvas($('timeline'), Math.max(ROW, rows.length * ROW), drawTimeline);
  scrub.addEventListener('input', () => goTo(Number(scrub.value)));
  $('first').addEventListener('click', () => goTo(0));
  $('back').addEventListener('click', () => move(-1));
  $('on').addEventListener('click', () => move(1));
  $('finding').addEventListener('click', () => goTo(guiltyStep));
  $('in').addEventListener('click', () => zoom(0.5, now));
  $('out').addEventListener('click', () => zoom(2, now));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => move(event.shiftKey ? -100 : -1), ArrowRight: () => move(event.shiftKey ? 100 : 1),
      Home: () => goTo(0), End: () => goTo(lastStep), '+': () => zoom(0.5, now), '=': () => zoom(0.5, now),
      '-': () => zoom(2, now), f: () => goTo(guiltyStep), F: () => goTo(guiltyStep),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  const refit = () => { canvases.forEach(fit); paint(); };
  window.addEventListener('resize', refit);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refit);
  refit();
  fillPages();
  fillSpans();
  document.documentElement.dataset.ready = String(Math.round(performance.now() - started));
})();
