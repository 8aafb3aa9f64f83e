// What a window measures of itself. The functions run in the page.

/**
 * Records layout shifts, long tasks, and the first painted message: when it was painted, and which
 * one of those in sight is first, and where. Pass it to addInitScript.
 */
export function record() {
  const seen = { shifts: [], longTasks: [], firstMessage: 0, first: null };
  Object.defineProperty(window, "parleyProbe", { value: seen });
  const named = node => (node?.nodeType === 1 ? `${node.parentElement?.localName}.${node.parentElement?.className} ${node.localName}.${node.className} "${node.textContent.slice(0, 40)}"` : String(node?.nodeName));
  const edges = r => `${r.x},${r.y} ${r.width}x${r.height}`;
  new PerformanceObserver(list => {
    for (const e of list.getEntries()) {
      if (e.hadRecentInput) continue;
      seen.shifts.push({ value: e.value, at: e.startTime, of: e.sources.map(s => `${named(s.node)} from ${edges(s.previousRect)} to ${edges(s.currentRect)}`) });
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver(list => {
    for (const e of list.getEntries()) seen.longTasks.push({ ms: e.duration, at: e.startTime });
  }).observe({ type: "longtask", buffered: true });
  const found = new MutationObserver(() => {
    if (!document.querySelector("[role=log] article, [role=log] [role=article]")) return;
    found.disconnect();
    requestAnimationFrame(() => {
      const log = document.querySelector("[role=log]");
      const row = [...log.querySelectorAll("article")].find(r => r.getBoundingClientRect().top >= log.getBoundingClientRect().top);
      if (row) seen.first = { id: row.dataset.id, top: row.getBoundingClientRect().top };
    });
    // The frame after the next one begins when the message is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => { seen.firstMessage = performance.now(); }));
  });
  found.observe(document, { childList: true, subtree: true });
}

/**
 * Returns the processor times of the main thread's tasks in an action, in ms, longest first. Unlike
 * the entries of longtask they do not grow when other programs have the processor.
 */
export async function tasks(browser, page, action) {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  let trace;
  try {
    await action();
  } finally {
    trace = JSON.parse(await browser.stopTracing()).traceEvents;
  }
  const mains = new Set(trace.filter(e => e.name === "thread_name" && e.args.name === "CrRendererMain").map(e => `${e.pid} ${e.tid}`));
  return trace.filter(e => e.ph === "X" && /RunTask$/.test(e.name) && mains.has(`${e.pid} ${e.tid}`))
    .map(e => (e.tdur ?? e.dur) / 1000).sort((a, b) => b - a);
}

export const probe = page => page.evaluate(() => window.parleyProbe);

/** Returns the element that scrolls the messages. */
export async function scroller(person) {
  const handle = await person.log.evaluateHandle(log => {
    for (let e = log; e; e = e.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > 0) return e;
    }
    throw new Error("nothing scrolls the messages");
  });
  return handle.asElement();
}

/**
 * Scrolls to the upper (or lower) end of the loaded messages, and waits until others are there.
 * Returns how far the message in the middle of the window moved in any frame meanwhile, in pixels.
 */
export function loadAtEnd(scroller, end) {
  return scroller.evaluate((box, toOlder) => new Promise(resolve => {
    const rows = () => [...box.querySelectorAll("article, [role=article]")];
    const edge = () => { const all = rows(); return (toOlder ? all[0] : all[all.length - 1])?.dataset.id; };
    const before = edge();
    box.scrollTop = toOlder ? 1 : box.scrollHeight;
    const middle = box.getBoundingClientRect().top + box.clientHeight / 2;
    const line = rows().find(row => row.getBoundingClientRect().bottom > middle) ?? rows().at(-1);
    const place = line.getBoundingClientRect().top;
    let moved = 0;
    let left = -1; // the frames to watch after the load
    const watch = () => {
      if (!line.isConnected) return resolve(Infinity);
      moved = Math.max(moved, Math.abs(line.getBoundingClientRect().top - place));
      if (left < 0 && edge() !== before) left = 10;
      if (left > 0 && --left === 0) return resolve(moved);
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  }), end === "older");
}

/** Records when keys go down, when characters are in the box, and when rows of a state appear. */
export function watchKeys() {
  const times = { down: [], input: [], painted: [], row: [] };
  window.parleyKeys = times;
  addEventListener("keydown", e => {
    const began = e.timeStamp;
    times.down.push(began);
    if (e.key !== "Enter") return;
    const seen = new MutationObserver(() => {
      const row = document.querySelector("[role=log] [data-status=pending]");
      if (!row) return;
      seen.disconnect();
      row.getBoundingClientRect(); // includes the layout
      times.row.push(performance.now() - began);
    });
    seen.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-status"] });
  }, true);
  addEventListener("input", e => {
    const began = times.down.at(-1);
    // The microtasks of the app run before; the layout is forced here.
    queueMicrotask(() => setTimeout(() => {
      e.target.getBoundingClientRect();
      times.input.push(performance.now() - began);
    }));
    requestAnimationFrame(() => setTimeout(() => times.painted.push(performance.now() - began)));
  });
}

/** Returns the median of numbers; NaN of none. */
export const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;
