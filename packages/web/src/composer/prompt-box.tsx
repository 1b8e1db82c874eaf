import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { classNames } from '../design/class-names.ts';
import { TOUCH, useMedia } from '../design/use-media.ts';
import { complete, type Trigger, triggerAt } from './completion.ts';
import { CompletionList, optionId } from './completion-list.tsx';
import { composerWords } from './composer-words.ts';
import { type Completion, type CompletionSources, useCompletions } from './use-completions.tsx';

interface PromptBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  placeholder: string;
  /** What is written here, where it is not simply a prompt. */
  label?: string;
  /** It is the first thing on its page, with room below it. */
  isLarge?: boolean;
  isReadOnly: boolean;
  sources: CompletionSources;
  /** Tells `false` where there was nothing to send: the key may mean something else then. */
  onSend: () => boolean | void;
  onPasteFiles: (files: File[]) => void;
}

/** Where the browser cannot grow it by itself, its lines are counted. */
const MAX_ROWS = 12;

/** Where a prompt is written. It grows with its text; `/` and `@` open what can be put there. */
export function PromptBox({
  box,
  text,
  onText,
  placeholder,
  label,
  isLarge = false,
  isReadOnly,
  sources,
  onSend,
  onPasteFiles,
}: PromptBoxProps) {
  const words = composerWords.use();
  const listId = useId();
  const isTouch = useMedia(TOUCH);
  const [caret, setCaret] = useState(text.length);
  const [pointed, setPointed] = useState({ of: '', index: 0 });
  const [dismissed, setDismissed] = useState<number>();
  const trigger = triggerAt(text, caret);
  const isOpen = trigger !== undefined && trigger.from !== dismissed && !isReadOnly;
  const { items, isLooking } = useCompletions(isOpen ? trigger : undefined, sources);
  const query = trigger === undefined ? '' : `${trigger.kind} ${trigger.query}`;
  const active = pointed.of === query ? Math.min(pointed.index, Math.max(0, items.length - 1)) : 0;

  const put = (next: string, place: number) => {
    onText(next);
    setCaret(place);
    // The place of the caret is set when the text is there.
    requestAnimationFrame(() => box.current?.setSelectionRange(place, place));
  };
  const choose = (item: Completion, at: Trigger) => {
    if (item.insert !== undefined) {
      const done = complete(text, at, item.insert);
      put(done.text, done.caret);
      return;
    }
    put(text.slice(at.to), 0);
    item.run?.();
  };
  const move = (step: number) => setPointed({ of: query, index: (active + step + items.length) % items.length });

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return; // The key belongs to the input method.
    if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      setDismissed(trigger.from);
      return;
    }
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isOpen && items.length > 0 && isPlain) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
        return;
      }
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault();
        choose(items[active]!, trigger);
        return;
      }
    }
    const isSend =
      event.key === 'Enter' && !event.shiftKey && !event.altKey && (!isTouch || event.ctrlKey || event.metaKey);
    if (!isSend) return;
    const hasSent = onSend() !== false;
    if (hasSent || isPlain) event.preventDefault();
  };
  const change = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    onText(target.value);
    setCaret(target.selectionStart);
    if (triggerAt(target.value, target.selectionStart)?.from !== dismissed) setDismissed(undefined);
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    onPasteFiles(files);
  };

  return (
    <>
      {isOpen && (items.length > 0 || (sources.sessionId ?? sources.place) !== undefined) && (
        <CompletionList
          id={listId}
          items={items}
          isLooking={isLooking}
          active={active}
          isBelow={isLarge}
          onChoose={(item) => choose(item, trigger)}
          onPoint={(index) => index !== active && setPointed({ of: query, index })}
        />
      )}
      <textarea
        ref={box}
        value={text}
        rows={Math.min(text.split('\n', MAX_ROWS).length, MAX_ROWS)}
        readOnly={isReadOnly}
        placeholder={placeholder}
        aria-label={label ?? words.prompt}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen && items.length > 0 ? listId : undefined}
        aria-activedescendant={isOpen && items.length > 0 ? optionId(listId, active) : undefined}
        enterKeyHint={isTouch ? 'enter' : 'send'}
        onChange={change}
        onSelect={(event) => {
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (selectionStart === selectionEnd) setCaret(selectionStart);
        }}
        onKeyDown={press}
        onPaste={paste}
        onBlur={() => setDismissed(trigger?.from)}
        className={classNames(
          'contained field-sizing-content block max-h-80 w-full resize-none bg-transparent outline-none placeholder:text-faint pointer-coarse:text-lg',
          isLarge
            ? 'min-h-32 px-4 pt-3.5 pb-2 text-lg'
            : 'min-h-10 px-3 pt-2.5 pb-1 text-base pointer-coarse:min-h-touch',
        )}
      />
    </>
  );
}
