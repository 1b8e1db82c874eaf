import { memo } from 'react';
import { CopyButton } from '../design/copy-button.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { conversationWords } from './conversation-words.ts';
import { OFFLINE_HINT, type ShownOf } from '@dragoman/protocol';

/** What an agent says, as it is written. */
export const TextRow = memo(function TextRow({ shown }: { shown: ShownOf<'text'> }) {
  const words = conversationWords.use();
  const isOffline = shown.block.text.endsWith(OFFLINE_HINT);
  const text = isOffline ? shown.block.text.slice(0, -OFFLINE_HINT.length).trimEnd() : shown.block.text;
  return (
    <article aria-label={words.answer} className="group relative px-1">
      <Markdown text={text} isOpen={shown.isOpen} />
      {isOffline && (
        <p className="mt-2.5 text-sm text-soft">
          {words.offline}{' '}
          <a href="/gateway" className="text-accent underline underline-offset-2">
            {words.setUpProvider}
          </a>
        </p>
      )}
      {!shown.isOpen && (
        <CopyButton
          text={text}
          label={words.copyText}
          className="absolute -bottom-6 left-0 z-10 size-6! bg-ground opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
        />
      )}
    </article>
  );
});
