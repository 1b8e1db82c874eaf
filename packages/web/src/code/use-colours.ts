import { useEffect, useState } from 'react';
import { hasLongLine } from './has-long-line.ts';
import type { CodePiece } from './highlighter.ts';

type Lines = readonly (readonly CodePiece[])[];

/** Grammars take their time with what nobody wrote by hand: long lines and long words are shown as they are. */
const MAX_CHARS = 60_000;
const MAX_LINE = 1000;
const LONG_WORD = /\w{200}/;
/** While code is being written it is coloured this long after it last changed. */
const REST_MS = 120;

const known = new Map<string, Lines | undefined>();
const MAX_KNOWN = 300;

/** Whether code is of a size that is coloured at all. */
export function isColourable(text: string): boolean {
  return text.length <= MAX_CHARS && !hasLongLine(text, MAX_LINE) && !LONG_WORD.test(text);
}

/**
 * The pieces of each line, as soon as they are known; until then, and where there is no grammar, nothing.
 *
 * While code grows, lines that did not change keep their colours. `text` is given with its lines so that these are the same.
 */
export function useColours(
  text: string,
  lines: readonly string[],
  language: string | undefined,
): (index: number) => readonly CodePiece[] | undefined {
  const isWanted = language !== undefined && isColourable(text);
  const key = isWanted ? `${language}\n${text}` : undefined;
  const ready = key === undefined ? undefined : known.get(key);
  const [before, setBefore] = useState<{ language: string; lines: readonly string[]; colours: Lines }>();

  useEffect(() => {
    if (!isWanted || ready !== undefined) return;
    let isOver = false;
    const timer = setTimeout(
      () => {
        void import('./highlighter.ts').then(async ({ highlightLines }) => {
          if (isOver) return;
          const colours = known.has(key!) ? known.get(key!) : await highlightLines(text, language);
          remember(key!, colours);
          if (isOver) return;
          if (colours !== undefined) setBefore({ language, lines, colours });
        });
      },
      before === undefined ? 0 : REST_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isWanted, ready, key, text, language, lines, before]);

  if (ready !== undefined) return (index) => ready[index];
  if (before === undefined || before.language !== language) return () => undefined;
  return (index) => (before.lines[index] === lines[index] ? before.colours[index] : undefined);
}

function remember(key: string, colours: Lines | undefined): void {
  known.set(key, colours);
  if (known.size <= MAX_KNOWN) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
