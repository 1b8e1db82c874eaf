import type { RankedPlace } from '@dragoman/protocol/console';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Code } from '../../../code/code-block.tsx';
import { languageOf } from '../../../code/grammars.ts';
import { Button } from '../../../design/button.tsx';
import { CopyButton } from '../../../design/copy-button.tsx';
import { Panel } from '../../../design/page.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { searchWords } from './search-words.ts';
import { WhyList } from './why-list.tsx';

const SHORT_LINES = 14;

interface PlaceCardProps {
  place: RankedPlace;
  /** Of the best place's bar. */
  share: number;
  onOpen: () => void;
}

/** A place that answers: where it is, how well it fits, its text, and what spoke for it. */
export function PlaceCard({ place, share, onOpen }: PlaceCardProps) {
  const words = searchWords.use();
  const common = useCommonWords();
  const formats = useFormats();
  const whyId = useId();
  const [isExplained, setExplained] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const { path, startLine, endLine, text, why } = place;
  const lines = text.split('\n');
  const shown = isWhole || lines.length <= SHORT_LINES + 4 ? text : lines.slice(0, SHORT_LINES).join('\n');
  const Chevron = isExplained ? ChevronDown : ChevronRight;
  return (
    <li>
      <Panel className="overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <button
            type="button"
            onClick={onOpen}
            title={words.open(path)}
            className="contained flex-1 basis-60 text-left font-mono text-xs hover:underline"
          >
            <span className="font-medium text-accent">{path}</span>{' '}
            <span className="text-faint">{words.lines(startLine, endLine)}</span>
          </button>
          <span role="img" aria-label={common.named(words.score, formats.percent(share))} title={words.score}>
            <span className="block h-1.5 w-16 overflow-hidden rounded-full bg-hover">
              <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
            </span>
          </span>
          {why.length > 0 && (
            <Button
              size="small"
              look="quiet"
              icon={<Chevron size={14} aria-hidden />}
              aria-expanded={isExplained}
              aria-controls={whyId}
              aria-label={words.whyOf(path)}
              onClick={() => setExplained(!isExplained)}
            >
              {words.why}
            </Button>
          )}
          <CopyButton text={`${path}:${startLine}`} />
        </div>
        <div id={whyId} hidden={!isExplained} className="border-t border-line px-3 py-2">
          {isExplained && <WhyList why={why} />}
        </div>
        <Code
          text={shown}
          language={languageOf(path)}
          startLine={startLine}
          isBare
          className="rounded-none border-x-0 border-b-0"
        />
        {shown !== text && (
          <div className="border-t border-line bg-raised px-2 py-1">
            <Button size="small" look="quiet" onClick={() => setWhole(true)}>
              {words.showAll(formats.count(lines.length))}
            </Button>
          </div>
        )}
      </Panel>
    </li>
  );
}
