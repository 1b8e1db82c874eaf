/** The colours that a diagram is drawn in. */
export interface DiagramColours {
  bg: string;
  fg: string;
  line: string;
  accent: string;
  muted: string;
  surface: string;
  border: string;
}

/** What the thread that draws is asked. */
export interface DiagramAsk {
  text: string;
  colours: DiagramColours;
}

/** What it answers; nothing where it cannot draw it. */
export interface DiagramAnswer {
  svg?: string;
}

const LIMIT_MS = 8000;
const MAX_CHARS = 20_000;
let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * A Mermaid diagram as the address of a picture; nothing where it cannot be drawn.
 *
 * A thread of its own draws one after the other, and is ended when one takes too long. A picture runs no script and brings no style into the
 * page, and an address that holds it is of no origin, should somebody open it by itself.
 */
export function drawDiagram(text: string, colours: DiagramColours): Promise<string | undefined> {
  if (text.length > MAX_CHARS || typeof Worker === 'undefined') return Promise.resolve(undefined);
  const drawn = last.then(() => ask({ text, colours }));
  last = drawn;
  return drawn;
}

function ask(question: DiagramAsk): Promise<string | undefined> {
  worker ??= new Worker(new URL('diagram-worker.ts', import.meta.url), { type: 'module' });
  const asked = worker;
  return new Promise((resolve) => {
    const end = (svg: string | undefined) => {
      clearTimeout(timer);
      resolve(
        svg === undefined ? undefined : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed())}`,
      );
    };
    const giveUp = () => {
      asked.terminate();
      worker = undefined;
      end(undefined);
    };
    const timer = setTimeout(giveUp, LIMIT_MS);
    asked.onmessage = ({ data }: MessageEvent<DiagramAnswer>) => end(data.svg);
    asked.onerror = giveUp;
    asked.postMessage(question);
  });
}
