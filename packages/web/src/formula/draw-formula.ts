import type { typeset } from './typesetter.ts';

/** What draws formulas, once it is loaded. */
interface Typesetter {
  typeset: typeof typeset;
}

let typesetter: Typesetter | undefined;
let loading: Promise<Typesetter> | undefined;
const waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let turnEndsAt = 0;

/** How long formulas may take before the page gets its turn. */
const TURN_MS = 8;

/**
 * Draws a formula and hands over its elements; none where it cannot be drawn. The first few are drawn at once, so that nothing
 * flickers where a text is shown again; of very many the page draws some, breathes and goes on.
 */
export function drawFormula(text: string, isDisplay: boolean, onDrawn: (elements: Node[]) => void): () => void {
  let isOver = false;
  const draw = () => {
    if (!isOver) onDrawn(typesetter!.typeset(text, isDisplay));
  };
  if (typesetter === undefined) {
    loading ??= import('./typesetter.ts');
    loading.then(
      (loaded) => {
        typesetter = loaded;
        inTurns(draw);
      },
      () => (loading = undefined), // Without a network the text stays as it was written.
    );
  } else inTurns(draw);
  return () => (isOver = true);
}

function inTurns(draw: () => void): void {
  if (timer === undefined) {
    turnEndsAt = performance.now() + TURN_MS;
    timer = setTimeout(nextTurn);
  }
  if (waiting.length === 0 && performance.now() < turnEndsAt) draw();
  else waiting.push(draw);
}

function nextTurn(): void {
  timer = undefined;
  turnEndsAt = performance.now() + TURN_MS;
  while (performance.now() < turnEndsAt) {
    const draw = waiting.shift();
    if (draw === undefined) return;
    draw();
  }
  timer = setTimeout(nextTurn);
}
