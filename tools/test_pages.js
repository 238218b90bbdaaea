// Part of tools/test_pages: shows each page of `pages` ([width, base64]) in a frame and writes what is wrong.
const said = [];

function light(colour) {
  const c = colour.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

function clear(colour) {
  return colour === 'transparent' || /^rgba\(.*, 0\)$/.test(colour);
}

// The ground below an element: that of the nearest element around it that has one.
function ground(view, element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = view.getComputedStyle(e).backgroundColor;
    if (!clear(colour)) return colour;
  }
  return 'rgb(255, 255, 255)';
}

function words(element) {
  return [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim() !== '');
}

// A head that stays for readers aloud alone is cut to nothing: its cells have a width and are not shown.
function cut(view, element) {
  for (let e = element; e; e = e.parentElement)
    if (view.getComputedStyle(e).clipPath.startsWith('inset')) return true;
  return false;
}

function overflow(doc, view, width, fault) {
  if (doc.documentElement.scrollWidth > width) fault(`page is ${doc.documentElement.scrollWidth} wide`);
  for (const e of doc.querySelectorAll('body *:not(svg *)')) {
    const box = e.getBoundingClientRect();
    if (box.width > 1 && (box.right > width + 1 || box.left < -1) && !cut(view, e))
      fault(`${e.localName} reaches ${Math.round(box.right)}: ${e.textContent.slice(0, 40)}`);
  }
}

function contrast(doc, view, fault) {
  const seen = new Set();
  for (const e of doc.querySelectorAll('body, body *:not(svg *):not(script)')) {
    if (!words(e)) continue;
    const pair = [view.getComputedStyle(e).color, ground(view, e)];
    const [low, high] = pair.map(light).sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (!(ratio >= 4.5) && !seen.has(pair.join()))
      fault(`contrast ${ratio.toFixed(2)} of ${pair.join(' on ')}`);
    seen.add(pair.join());
  }
  if (seen.size === 0) fault('no words');
}

function structure(doc, view, fault) {
  let level = 0;
  for (const h of doc.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (h.localName[1] > level + 1) fault(`heading ${h.localName} after h${level}: ${h.textContent}`);
    level = Number(h.localName[1]);
  }
  if (doc.querySelectorAll('h1').length !== 1) fault('not one h1');
  for (const e of doc.querySelectorAll('svg, img'))
    if (!(e.getAttribute('aria-label') || e.getAttribute('alt'))) fault(`a ${e.localName} without a text`);
  if (doc.querySelector('script, link, iframe, object, embed, form, [src], [href]'))
    fault('an element that runs or fetches');
  for (const r of view.performance.getEntriesByType('resource')) fault(`fetched ${r.name}`);
}

function measure(frame, width) {
  const doc = frame.contentDocument, view = frame.contentWindow;
  const fault = text => said.push(`fault: ${width} px: ${text.replace(/\s+/g, ' ')}`);
  doc.querySelectorAll('details').forEach(d => { d.open = true; });
  overflow(doc, view, width, fault);
  contrast(doc, view, fault);
  structure(doc, view, fault);
  said.push(`measured: ${width}`);
}

function show([width, page]) {
  return new Promise(done => {
    const frame = document.createElement('iframe');
    frame.style.cssText = `width:${width}px;height:1000px;border:0`;
    frame.onload = () => { measure(frame, width); frame.remove(); done(); };
    frame.srcdoc = new TextDecoder().decode(Uint8Array.from(atob(page), c => c.charCodeAt(0)));
    document.body.append(frame);
  });
}

addEventListener('load', async () => {
  const all = pages;
  for (const page of all) await show(page);
  const result = document.createElement('pre');
  result.textContent = '\n' + said.join('\n') + '\n';
  document.body.replaceChildren(result);
});
