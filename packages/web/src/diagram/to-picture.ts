/** What was drawn in a document as a file of its own: well-formed, with a size, and every label readable on what it stands on. */
export function toPicture(drawn: string): string {
  document.body.innerHTML = drawn;
  const svg = document.body.querySelector('svg')!;
  const { width, height } = svg.viewBox.baseVal;
  if (!(width > 0 && height > 0)) throw new Error('It has no size.');
  svg.setAttribute('width', String(Math.ceil(width)));
  svg.setAttribute('height', String(Math.ceil(height)));
  svg.removeAttribute('style');
  // Beside each stands the same as text.
  for (const html of svg.querySelectorAll('switch > foreignObject')) html.remove();
  for (const node of svg.querySelectorAll<SVGElement>('.node')) makeReadable(node);
  return new XMLSerializer().serializeToString(svg);
}

const SHAPES = 'rect, path, polygon, circle, ellipse';

/** A diagram may name the colour of a box for a page of the other theme, and none for the label in it. */
function makeReadable(node: SVGElement): void {
  const box = node.querySelector(`:scope > :is(${SHAPES}), :scope > g.label-container`);
  if (box === null) return;
  const ground = luminance(getComputedStyle(box.querySelector(SHAPES) ?? box).fill);
  if (ground === undefined) return;
  for (const text of node.querySelectorAll('text')) {
    const ink = luminance(getComputedStyle(text).fill);
    if (ink === undefined || contrast(ink, ground) >= 4.5) continue;
    const fill = contrast(0, ground) > contrast(1, ground) ? '#000000' : '#ffffff';
    for (const part of [text, ...text.querySelectorAll('tspan')]) part.style.setProperty('fill', fill, 'important');
  }
}

/** As the guidelines for accessible pages (WCAG) count it. */
function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Of a colour as browsers tell it; nothing for what is seen through. */
function luminance(colour: string): number | undefined {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)?.slice(1);
  if (parts === undefined) return undefined;
  const [red, green, blue] = parts.map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
