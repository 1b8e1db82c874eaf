import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../../api/calls.ts';
import { Button, buttonClasses } from '../../../design/button.tsx';
import { CopyButton, CopyLine } from '../../../design/copy-button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Spinner } from '../../../design/spinner.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { channelsWords } from './channels-words.ts';

type BindCode = AnswerOf<'createBindCode'>;

interface BindDialogProps {
  given: BindCode;
  isRenewing: boolean;
  onRenew: () => void;
  onClose: () => void;
}

/** A code to be written to a bot. Whoever opened it closes it when the bot has heard. */
export function BindDialog({ given, isRenewing, onRenew, onClose }: BindDialogProps) {
  const words = channelsWords.use();
  const common = useCommonWords();
  const { code, expiresAt, ways } = given;
  const leftMs = useTimeLeft(expiresAt);
  const isOver = leftMs <= 0;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.codeTitle}
      about={words.codeAbout}
      actions={<Button onClick={onClose}>{common.close}</Button>}
    >
      <div className="flex flex-col items-center gap-1 rounded-lg border border-line bg-raised px-3 py-4">
        <span className="text-xs text-faint">{words.code}</span>
        <div className="flex flex-wrap items-center justify-center gap-1">
          <code
            className={`font-mono text-3xl font-semibold tracking-widest ${isOver ? 'text-faint line-through' : ''}`}
          >
            {code}
          </code>
          {!isOver && <CopyButton text={code} label={words.copyCode} />}
        </div>
        <TimeLeft leftMs={leftMs} />
        {isOver && (
          <Button look="primary" size="small" className="mt-1" isBusy={isRenewing} onClick={onRenew}>
            {words.newCode}
          </Button>
        )}
      </div>
      {!isOver && (
        <>
          <ul className="mt-3 flex flex-col gap-3">
            {ways.map((way) => (
              <Way key={way.channel} way={way} />
            ))}
          </ul>
          {ways.length === 0 ? (
            <div className="mt-3">
              <Notice tone="warn">{words.noWays}</Notice>
            </div>
          ) : (
            <p role="status" className="mt-3 flex items-center gap-2 pb-1 text-sm text-soft">
              <Spinner />
              {words.waiting}
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

function TimeLeft({ leftMs }: { leftMs: number }) {
  const words = channelsWords.use();
  const formats = useFormats();
  return (
    <p className="text-xs text-faint">{leftMs <= 0 ? words.codeOver : words.codeLeft(formats.wholeSeconds(leftMs))}</p>
  );
}

function Way({ way: { title, say, bot, link } }: { way: BindCode['ways'][number] }) {
  const words = channelsWords.use();
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1 text-sm">
          <span className="font-medium">{title}</span>
          <span className="block text-xs text-faint">{bot === undefined ? words.writeBot : words.write(bot)}</span>
        </p>
        {link !== undefined && (
          <a href={link} target="_blank" rel="noopener noreferrer" className={buttonClasses('primary', 'small')}>
            {words.openIn(title)}
            <ExternalLink size={12} aria-hidden />
          </a>
        )}
      </div>
      <CopyLine text={say} label={words.copyLine} />
    </li>
  );
}

/** Milliseconds until a moment, every second anew; never less than nothing. */
function useTimeLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, until - now);
}
