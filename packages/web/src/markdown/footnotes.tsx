import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import { markdownWords } from './markdown-words.ts';
import type { Footnote } from './take-footnotes.ts';

/** What the names of this text's notes begin with, so that those of two texts are not the same. */
export const FootnotesContext = createContext('');

const LINK = 'own-size rounded-sm text-accent hover:underline';

/** The number of a note, where the text points at it. */
export function FootnoteReference({ number, occurrence }: { number: number; occurrence: number }) {
  const words = markdownWords.use();
  const within = useContext(FootnotesContext);
  const target = noteId(within, number);
  return (
    <sup className="text-note">
      <a
        id={referenceId(within, number, occurrence)}
        href={`#${target}`}
        role="doc-noteref"
        aria-label={words.footnote(number)}
        onClick={(event) => jump(event, target)}
        className={`${LINK} px-0.5`}
      >
        {number}
      </a>
    </sup>
  );
}

/** The notes of a text, each with a way back to every place that points at it. */
export function Footnotes({ notes, render }: { notes: readonly Footnote[]; render: (text: string) => ReactNode }) {
  const words = markdownWords.use();
  const within = useContext(FootnotesContext);
  return (
    <section role="doc-endnotes" aria-label={words.footnotes} className="border-t border-line pt-2">
      <ol className="flex list-decimal flex-col gap-1 pl-7 text-sm text-soft">
        {notes.map(({ number, text, references }) => (
          <li key={number} value={number}>
            <div id={noteId(within, number)} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-1.5">
              <div className="flex min-w-0 flex-col gap-1">{render(text)}</div>
              {Array.from({ length: Math.min(references, 20) }, (_none, index) => {
                const target = referenceId(within, number, index + 1);
                return (
                  <a
                    key={index}
                    href={`#${target}`}
                    role="doc-backlink"
                    aria-label={words.backToText(index + 1)}
                    onClick={(event) => jump(event, target)}
                    className={LINK}
                  >
                    {'↩'}
                    {index > 0 && <sup>{index + 1}</sup>}
                  </a>
                );
              })}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Goes there without a change of the page's address, which is that of the session. */
function jump(event: MouseEvent, id: string): void {
  event.preventDefault();
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: 'nearest' });
  target?.focus({ preventScroll: true });
}

function noteId(within: string, number: number): string {
  return `${within}-note-${number}`;
}

function referenceId(within: string, number: number, occurrence: number): string {
  return `${within}-reference-${number}-${occurrence}`;
}
