import type { BackendCapabilities } from '@dragoman/protocol';
import { ArrowUp, Square } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { AttachButton } from '../../../composer/attach-button.tsx';
import { composerWords } from '../../../composer/composer-words.ts';

interface ComposerBarProps {
  capabilities: BackendCapabilities;
  isRunning: boolean;
  isStopping: boolean;
  isEmpty: boolean;
  /** Whether it waits or goes into the running turn; absent where there is no choice. */
  delivery: 'queue' | 'steer' | undefined;
  onDelivery: (delivery: 'queue' | 'steer') => void;
  onFiles: (files: File[]) => void;
  onStop: () => void;
  onSend: () => void;
}

/** What is below the text: attach, how it is delivered, stop, send. */
export function ComposerBar({ capabilities, delivery, isRunning, isEmpty, ...on }: ComposerBarProps) {
  const words = composerWords.use();
  const sendLabel = delivery === 'steer' ? words.steer : isRunning ? words.queue : words.send;
  return (
    <div className="flex flex-wrap items-center justify-end gap-1.5 px-1.5 pb-1.5">
      <AttachButton capabilities={capabilities} onFiles={on.onFiles} />
      {delivery === undefined ? (
        <span className="min-w-0 flex-1 truncate text-2xs text-faint max-sm:invisible">{words.hint}</span>
      ) : (
        <span
          role="status"
          className="min-w-0 flex-1 text-2xs text-faint max-sm:order-first max-sm:basis-full max-sm:pl-1.5"
        >
          {words.deliveryHints[delivery]}
        </span>
      )}
      {delivery !== undefined && (
        <Segmented
          label={words.delivery}
          value={delivery}
          onChange={on.onDelivery}
          options={[
            { value: 'queue', label: words.deliveries.queue },
            { value: 'steer', label: words.deliveries.steer },
          ]}
        />
      )}
      {isRunning && (
        <Button size="small" icon={<Square size={11} aria-hidden className="fill-current" />} onClick={on.onStop}>
          {on.isStopping ? words.stopping : words.stop}
        </Button>
      )}
      <button
        type="button"
        aria-label={sendLabel}
        title={sendLabel}
        disabled={isEmpty}
        onClick={on.onSend}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-hover disabled:text-faint"
      >
        <ArrowUp size={17} aria-hidden />
      </button>
    </div>
  );
}
