/** The colours and the type that a diagram is drawn in. */
export interface DiagramLook {
  isDark: boolean;
  fontFamily: string;
  ground: string;
  raised: string;
  ink: string;
  soft: string;
  line: string;
  border: string;
  accent: string;
  warn: string;
  bad: string;
  /** What tells parts of one diagram apart, such as the slices of a pie. */
  hues: readonly string[];
}

/** What the frame that draws is asked; it answers on the port that comes with it. */
export interface DiagramAsk {
  text: string;
  look: DiagramLook;
}

/** What it answers; nothing where it cannot draw it. */
export interface DiagramAnswer {
  svg?: string;
}

/** Beyond these it is no diagram that somebody reads. */
const MAX_CHARS = 20_000;
const MAX_SVG = 1_000_000;
const DRAW_LIMIT_MS = 8_000;
/** The frame comes over the network, which may be slow. */
const LOAD_LIMIT_MS = 60_000;

let frame: { element: HTMLIFrameElement; loaded: Promise<boolean> } | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * A Mermaid diagram as the address of a picture; nothing where it cannot be drawn.
 *
 * A hidden frame draws one after the other, and is ended when one takes too long. It is of no origin: it has neither the login nor
 * anything of the page, and its own content policy lets it load nothing. A picture runs no script and brings no style into the page, and
 * an address that holds it is of no origin either, should somebody open it by itself.
 */
export function drawDiagram(text: string, look: DiagramLook): Promise<string | undefined> {
  if (text.length > MAX_CHARS) return Promise.resolve(undefined);
  const drawn = last.then(() => ask({ text, look }));
  last = drawn;
  return drawn;
}

async function ask(question: DiagramAsk): Promise<string | undefined> {
  frame ??= openFrame();
  const { element, loaded } = frame;
  const answer = (await within(LOAD_LIMIT_MS, loaded)) && (await within(DRAW_LIMIT_MS, answerOf(element, question)));
  if (!answer) {
    element.remove();
    frame = undefined;
    return undefined;
  }
  const { svg } = answer;
  if (typeof svg !== 'string' || svg.length > MAX_SVG) return undefined;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed())}`;
}

function openFrame(): NonNullable<typeof frame> {
  const element = document.createElement('iframe');
  element.sandbox.add('allow-scripts');
  element.src = '/diagram-frame';
  element.ariaHidden = 'true';
  element.tabIndex = -1;
  // Texts are measured in it, so it needs a size; a browser gives none to a frame that is not laid out.
  element.className = 'pointer-events-none invisible fixed top-0 left-0 -z-50 h-[600px] w-[800px]';
  const loaded = new Promise<boolean>((resolve) => {
    element.addEventListener('load', () => resolve(true), { once: true });
  });
  document.body.append(element);
  return { element, loaded };
}

function answerOf(element: HTMLIFrameElement, question: DiagramAsk): Promise<DiagramAnswer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<DiagramAnswer>) => {
      port1.close();
      resolve(data);
    };
    // It has no origin that could be named here.
    element.contentWindow?.postMessage(question, '*', [port2]);
  });
}

/** What comes in time. */
function within<Value>(limitMs: number, awaited: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs, undefined);
    void awaited.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
