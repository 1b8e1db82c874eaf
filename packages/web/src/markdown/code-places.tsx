import { useState } from 'react';
import { Code } from '../code/code-block.tsx';
import { languageOf } from '../code/grammars.ts';
import type { CodePlace } from '../code/read-places.ts';
import { visibleText } from '../code/visible-text.ts';
import { Button } from '../design/button.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { markdownWords } from './markdown-words.ts';
import { useOpenFile } from './open-file.ts';

/** So much of a place is in sight at first, and so many places. */
const SHORT_LINES = 10;
const FEW_PLACES = 5;

/** What the code search found: each place with its path, which opens the file there, and its lines in colour. */
export function CodePlaces({ places }: { places: readonly CodePlace[] }) {
  const words = markdownWords.use();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? places : places.slice(0, FEW_PLACES);
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label={words.places} className="flex flex-col gap-2">
        {shown.map((place) => (
          <li key={`${place.path}:${place.startLine}`}>
            <Place place={place} />
          </li>
        ))}
      </ol>
      {shown.length < places.length && (
        <Button size="small" look="quiet" className="self-start" onClick={() => setWhole(true)}>
          {words.morePlaces(places.length - shown.length)}
        </Button>
      )}
    </div>
  );
}

function Place({ place: { path, startLine, endLine, text } }: { place: CodePlace }) {
  const words = markdownWords.use();
  const common = useCommonWords();
  const openFile = useOpenFile();
  const [isWhole, setWhole] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > SHORT_LINES + 3;
  const name = (
    <>
      <span className="font-medium text-accent">{visibleText(path)}</span>{' '}
      <span className="text-faint">{words.lines(startLine, endLine)}</span>
    </>
  );
  const look = 'contained block w-full px-3 py-1.5 text-left font-mono text-xs';
  return (
    <div className="overflow-hidden rounded-md border border-line bg-panel">
      {openFile === undefined ? (
        <p className={look}>{name}</p>
      ) : (
        <button
          type="button"
          title={words.openFile(path)}
          onClick={() => openFile(path, startLine)}
          className={`${look} -outline-offset-2 hover:bg-hover hover:underline`}
        >
          {name}
        </button>
      )}
      <Code
        text={isLong && !isWhole ? lines.slice(0, SHORT_LINES).join('\n') : text}
        language={languageOf(path)}
        startLine={startLine}
        isBare
        className="rounded-none border-x-0 border-b-0"
      />
      {isLong && (
        <div className="border-t border-line bg-raised px-2 py-1">
          <Button size="small" look="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? common.showLess : common.showMore}
          </Button>
        </div>
      )}
    </div>
  );
}
