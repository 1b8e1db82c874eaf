import type { BackendCapabilities, HubPrompt } from '@dragoman/protocol';
import { memo, type Ref, useImperativeHandle, useRef } from 'react';
import { Failure } from '../../../design/failure.tsx';
import { useStored } from '../use-stored.ts';
import { AttachmentList } from './attachment-list.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { composerWords } from './composer-words.ts';
import { PromptBox } from './prompt-box.tsx';
import { sendFailureOf } from './send-failure.ts';
import { useAttachments } from './use-attachments.ts';
import type { CompletionSources } from './use-completions.tsx';
import { usePrompt } from './use-prompt.ts';

/** What the page can ask of the composer. */
export interface ComposerHandle {
  focus: () => void;
  /** Puts a text behind what is written. */
  insert: (text: string) => void;
  /** Puts a text there where nothing is written. */
  suggest: (text: string) => void;
  addFiles: (files: readonly File[]) => void;
}

interface ComposerProps {
  sources: CompletionSources;
  capabilities: BackendCapabilities;
  queue: readonly HubPrompt[];
  newestPromptId: string | undefined;
  isRunning: boolean;
  isStopping: boolean;
  onStop: () => void;
  ref?: Ref<ComposerHandle>;
}

/** Where prompts are written and sent. It is drawn again only when something that it shows has changed. */
export const Composer = memo(function Composer({
  sources,
  capabilities,
  queue,
  newestPromptId,
  isRunning,
  isStopping,
  onStop,
  ref,
}: ComposerProps) {
  const words = composerWords.use();
  const box = useRef<HTMLTextAreaElement>(null);
  const [delivery, setDelivery] = useStored('delivery', (stored) => (stored === 'steer' ? 'steer' : 'queue'));
  const attachments = useAttachments(capabilities, () => prompt.renew());
  const prompt = usePrompt({ sessionId: sources.sessionId, queue, newestPromptId, onSent: attachments.clear });
  const isEmpty = prompt.text.trim() === '' && attachments.items.length === 0;
  const maySteer = isRunning && capabilities.steer === true;
  const failure = prompt.error === undefined ? 'again' : sendFailureOf(prompt.error);
  const send = () => {
    if (!isEmpty && !prompt.isSending) prompt.send(attachments.items, maySteer ? delivery : 'queue');
  };

  useImperativeHandle(ref, () => ({
    focus: () => box.current?.focus(),
    insert(text) {
      const gap = prompt.text === '' || /\s$/.test(prompt.text) ? '' : ' ';
      prompt.setText(`${prompt.text}${gap}${text} `);
      box.current?.focus();
    },
    suggest(text) {
      if (prompt.text === '') prompt.setText(text);
      box.current?.focus();
    },
    addFiles: (files) => void attachments.add(files),
  }));

  return (
    <div className="relative">
      {prompt.error !== undefined && (
        <div className="mb-2">
          <Failure error={prompt.error} {...(failure !== 'refused' && { onRetry: send })} />
          <p className="mt-1 px-1 text-xs text-faint">{words.notSentAbout[failure]}</p>
        </div>
      )}
      <div className="rounded-lg border border-line-strong bg-panel focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        {attachments.items.length > 0 && <AttachmentList items={attachments.items} onRemove={attachments.remove} />}
        <PromptBox
          box={box}
          text={prompt.text}
          onText={prompt.setText}
          placeholder={isRunning ? words.placeholderRunning : words.placeholder}
          isReadOnly={prompt.isSending}
          sources={sources}
          onSend={send}
          onPasteFiles={(files) => void attachments.add(files)}
        />
        <ComposerBar
          capabilities={capabilities}
          isRunning={isRunning}
          isStopping={isStopping}
          isEmpty={isEmpty}
          isSending={prompt.isSending}
          delivery={maySteer ? delivery : undefined}
          onDelivery={setDelivery}
          onFiles={(files) => void attachments.add(files)}
          onStop={onStop}
          onSend={send}
        />
      </div>
    </div>
  );
});
