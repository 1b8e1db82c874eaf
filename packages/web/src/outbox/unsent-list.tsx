import { CircleAlert, Clock3, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { composerWords } from '../composer/composer-words.ts';
import { useCommonWords } from '../words/common-words.ts';
import { postAgain, takeBack, useOutbox } from './outbox.ts';
import { hasWords, type OutboxItem, wordsIn } from './outbox-item.ts';
import { isKept } from './outbox-store.ts';
import { outboxWords } from './outbox-words.ts';

/** What arrives within this time is not worth a word. */
const PATIENCE_MS = 1_000;

interface UnsentListProps {
  sessionId: string;
  /** Where words go that are taken back; absent where nothing can be written. */
  onText?: ((text: string) => void) | undefined;
}

/** What was written in a session and has not arrived: it waits for the server, or was refused. Each can be taken back. */
export function UnsentList({ sessionId, onText }: UnsentListProps) {
  const words = outboxWords.use();
  const items = useOutbox(sessionId).filter((item) => hasWords(item) && (item.call === 'sendPrompt' || item.refusal));
  const oldest = items[0]?.at;
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (oldest === undefined) return;
    const timer = setTimeout(() => setNow(Date.now()), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [oldest, items.length]);
  const shown = items.filter(
    ({ at, wasTried, refusal }) => wasTried === true || refusal !== undefined || now - at >= PATIENCE_MS - 50,
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label={words.unsent(shown.length)} className="mb-1.5">
      <ul className="max-h-52 space-y-1 overflow-y-auto">
        {shown.map((item) => (
          <li key={item.id}>
            {item.refusal === undefined ? (
              <Waiting item={item} onText={onText} />
            ) : (
              <Refused item={item} message={item.refusal.message} onText={onText} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting({ item, onText }: { item: OutboxItem } & Pick<UnsentListProps, 'onText'>) {
  const words = outboxWords.use();
  return (
    <div className="flex items-center gap-2 rounded-md border border-dashed border-line-strong bg-raised py-0.5 pr-0.5 pl-2.5 text-sm">
      <Clock3 size={13} aria-hidden className="shrink-0 text-faint" />
      <span className="min-w-0 flex-1 py-1">
        <Words item={item} />
        <span role="status" className="block text-xs text-faint">
          {item.wasTried !== true ? words.sending : isKept(item) ? words.waitingAbout : words.onlyHere}
        </span>
      </span>
      <IconButton
        label={words.takeBack}
        icon={<X size={14} aria-hidden />}
        onClick={() => {
          takeBack(item.id);
          onText?.(wordsIn(item));
        }}
      />
    </div>
  );
}

/** What was refused in sessions other than the one that is shown; whoever wrote it may have been elsewhere, or the session is gone. */
export function RefusedElsewhere({ sessionId }: { sessionId: string | undefined }) {
  const words = outboxWords.use();
  const items = useOutbox().filter((item) => item.refusal !== undefined && item.input.sessionId !== sessionId);
  if (items.length === 0) return null;
  return (
    <ul aria-label={words.unsent(items.length)} className="max-h-60 space-y-1 overflow-y-auto border-b border-line p-2">
      {items.map((item) => (
        <li key={item.id}>
          <Refused item={item} message={item.refusal!.message} />
        </li>
      ))}
    </ul>
  );
}

function Refused({ item, message, onText }: { item: OutboxItem; message: string } & Pick<UnsentListProps, 'onText'>) {
  const common = useCommonWords();
  const words = outboxWords.use();
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-wash px-2.5 py-1.5 text-sm">
      <p className="flex items-start gap-2 font-medium">
        <CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <span className="contained min-w-0 flex-1">{common.named(words.refused, message)}</span>
        <CopyButton text={wordsIn(item)} label={words.copy} />
      </p>
      <p className="contained max-h-24 overflow-y-auto whitespace-pre-wrap">{wordsIn(item)}</p>
      <p className="mt-1 flex flex-wrap gap-2">
        <Button size="small" onClick={() => postAgain(item)}>
          {words.again}
        </Button>
        {onText !== undefined && (
          <Button
            size="small"
            onClick={() => {
              takeBack(item.id);
              onText(wordsIn(item));
            }}
          >
            {words.edit}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => takeBack(item.id)}>
          {words.discard}
        </Button>
      </p>
    </div>
  );
}

function Words({ item }: { item: OutboxItem }) {
  const words = composerWords.use();
  const text = wordsIn(item);
  const attached = item.call === 'sendPrompt' ? (item.input.content?.length ?? 0) : 0;
  return (
    <span className="contained block truncate" title={text.slice(0, 1000)}>
      {text === '' ? words.attachmentCount(attached) : text.slice(0, 300)}
    </span>
  );
}
