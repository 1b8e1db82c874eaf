import type { BackendCapabilities } from '@dragoman/protocol';
import { memo, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useStored } from '../../../design/use-stored.ts';
import { AttachmentList } from '../../../composer/attachment-list.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { takeFocusOver } from '../../../composer/hand-focus.ts';
import { composerWords } from '../../../composer/composer-words.ts';
import { PromptBox } from '../../../composer/prompt-box.tsx';
import { useAttachments } from '../../../composer/use-attachments.ts';
import type { CompletionSources } from '../../../composer/use-completions.tsx';
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
  sources: CompletionSources & { sessionId: string };
  capabilities: BackendCapabilities;
  isRunning: boolean;
  isStopping: boolean;
  onStop: () => void;
  onSent: () => void;
  ref?: Ref<ComposerHandle>;
}

/** Where prompts are written and sent. It is drawn again only when something that it shows has changed. */
export const Composer = memo(function Composer({
  sources,
  capabilities,
  isRunning,
  isStopping,
  onStop,
  onSent,
  ref,
}: ComposerProps) {
  const words = composerWords.use();
  const box = useRef<HTMLTextAreaElement>(null);
  const [delivery, setDelivery] = useStored('delivery', (stored) => (stored === 'steer' ? 'steer' : 'queue'));
  useEffect(() => {
    if (takeFocusOver()) box.current?.focus();
  }, []);
  const attachments = useAttachments(capabilities);
  const prompt = usePrompt(sources.sessionId);
  const isEmpty = prompt.text.trim() === '' && attachments.items.length === 0;
  const maySteer = isRunning && capabilities.steer === true;
  const send = () => {
    if (isEmpty) return false;
    prompt.send(attachments.items, maySteer ? delivery : 'queue');
    attachments.clear();
    onSent();
    return true;
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
      <div className="rounded-lg border border-line-strong bg-panel focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        {attachments.items.length > 0 && <AttachmentList items={attachments.items} onRemove={attachments.remove} />}
        <PromptBox
          box={box}
          text={prompt.text}
          onText={prompt.setText}
          placeholder={isRunning ? words.placeholderRunning : words.placeholder}
          isReadOnly={false}
          sources={sources}
          onSend={send}
          onPasteFiles={(files) => void attachments.add(files)}
        />
        <ComposerBar
          capabilities={capabilities}
          isRunning={isRunning}
          isStopping={isStopping}
          isEmpty={isEmpty}
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
