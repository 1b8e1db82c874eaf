import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import type { ConversationHandle, FoundPlaces } from '../../conversation/conversation.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { useCommonWords } from '../../words/common-words.ts';
import { sessionWords } from './session-words.ts';

interface FindBoxProps {
  conversation: RefObject<ConversationHandle | null>;
  input: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

const NOTHING: FoundPlaces = { count: 0, index: 0 };

/** Finds a text anywhere in the session, also where it is not drawn at the moment. */
export function FindBox({ conversation, input, onClose }: FindBoxProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const [text, setText] = useState('');
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    input.current?.focus();
    const shown = conversation.current;
    return () => void shown?.find('');
  }, [conversation, input]);
  const step = (to: 'next' | 'previous') => setFound(conversation.current?.[to]() ?? NOTHING);
  return (
    <search className="flex items-center gap-1 border-b border-line bg-panel px-3 py-1.5">
      <input
        ref={input}
        type="text"
        value={text}
        aria-label={words.findLabel}
        placeholder={words.findLabel}
        onChange={({ target }) => {
          setText(target.value);
          setFound(conversation.current?.find(target.value) ?? NOTHING);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') step(event.shiftKey ? 'next' : 'previous');
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onClose();
        }}
        className="h-7 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2.5 text-sm pointer-coarse:text-lg"
      />
      <span role="status" className="shrink-0 px-1 text-xs text-faint tabular-nums">
        {text === '' ? '' : found.count === 0 ? words.findNone : words.findAt(found.index, found.count)}
      </span>
      <IconButton
        label={words.previous}
        icon={<ChevronUp size={15} aria-hidden />}
        disabled={found.count === 0}
        onClick={() => step('previous')}
      />
      <IconButton
        label={words.next}
        icon={<ChevronDown size={15} aria-hidden />}
        disabled={found.count === 0}
        onClick={() => step('next')}
      />
      <IconButton label={common.close} icon={<X size={15} aria-hidden />} onClick={onClose} />
    </search>
  );
}
