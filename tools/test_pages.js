// Part of tools/test_pages: shows each page of `pages` ([width, base64]) in a frame and writes what is wrong.
const said = [];

// A colour as [red, green, blue, opacity].
function parts(colour) {
  const c = colour.match(/[\d.]+/g).map(Number);
  return [c[0], c[1], c[2], colour === 'transparent' ? 0 : c[3] ?? 1];
}

// One colour upon another one.
function upon(colour, below) {
  const top = parts(colour), under = parts(below);
  return `rgb(${[0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).join(', ')})`;
}

function light(colour) {
  const c = parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

function ratio(colour, below) {
  const [low, high] = [upon(colour, below), below].map(light).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// The ground below an element: that of the nearest element around it that has one.
function ground(view, element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = view.getComputedStyle(e).backgroundColor;
    if (colour !== 'transparent' && parts(colour)[3] > 0) return colour;
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
    if (!(ratio(...pair) >= 4.5) && !seen.has(pair.join()))
      fault(`contrast ${ratio(...pair).toFixed(2)} of ${pair.join(' on ')}`);
    seen.add(pair.join());
  }
  if (seen.size === 0) fault('no words');
}

// The colour that a property of a drawn element has, with its opacity and that of the elements around it.
function ink(view, element, property) {
  const style = view.getComputedStyle(element);
  if (element.localName === 'line' && property === 'fill') return null;
  if (!style[property].startsWith('rgb') || property === 'stroke' && parseFloat(style.strokeWidth) === 0)
    return null;
  const colour = parts(style[property]);
  colour[3] *= Number(style[`${property}Opacity`]);
  for (let e = element; e.localName !== 'svg'; e = e.parentElement)
    colour[3] *= Number(view.getComputedStyle(e).opacity);
  return colour[3] > 0 ? `rgba(${colour.join(', ')})` : null;
}

// The ground below the middle of a drawn element: shapes drawn before it that have the point within them.
function drawnGround(view, svg, shapes, element) {
  const box = element.getBoundingClientRect();
  let colour = ground(view, svg);
  for (const s of shapes) {
    const fill = ink(view, s, 'fill');
    const at = new view.DOMPoint(box.x + box.width / 2, box.y + box.height / 2)
      .matrixTransform(s.getScreenCTM().inverse());
    if (fill && s.isPointInFill(at)) colour = upon(fill, colour);
  }
  return colour;
}

// Words in a picture have 4.5 to 1; a shape has 3 to 1 by its fill or its outline.
function pictures(doc, view, fault) {
  const seen = new Set();
  const check = (what, colours, below, least) => {
    const best = Math.max(0, ...colours.filter(c => c).map(c => ratio(c, below)));
    const text = `${what} has a contrast of ${best.toFixed(2)} on ${below}`;
    if (best < least && !seen.has(text)) fault(text);
    seen.add(text);
  };
  for (const svg of doc.querySelectorAll('svg')) {
    const before = [];
    for (const e of svg.querySelectorAll('rect, circle, ellipse, line, path, polygon, polyline, text')) {
      const box = e.getBoundingClientRect(), below = drawnGround(view, svg, before, e);
      if (e.localName === 'text') {
        if (e.textContent.trim() !== '') check('text in a picture', [ink(view, e, 'fill')], below, 4.5);
        continue;
      }
      if (box.width + box.height > 0)
        check(`shape ${e.localName}`, [ink(view, e, 'fill'), ink(view, e, 'stroke')], below, 3);
      before.push(e);
    }
  }
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
  pictures(doc, view, fault);
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
