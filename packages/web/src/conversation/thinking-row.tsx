import { Brain } from 'lucide-react';
import { memo } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { useFormats } from '../words/formats.ts';
import { conversationWords } from './conversation-words.ts';
import { Disclosure } from './disclosure.tsx';
import { Elapsed } from './elapsed.tsx';
import { useOpen } from './open-state.ts';
import { plainMarkdown, type ShownOf } from '@dragoman/protocol';

/** What a model thought, folded to one line; while it thinks, the line it is at. */
export const ThinkingRow = memo(function ThinkingRow({ shown }: { shown: ShownOf<'thinking'> }) {
  const words = conversationWords.use();
  const formats = useFormats();
  const [isOpen, toggle] = useOpen(`thinking ${shown.id}`);
  const { thinking } = shown.block;
  const took = shown.endedAt === undefined ? 0 : shown.endedAt - shown.startedAt;
  return (
    <Disclosure
      piece={`thinking ${shown.id}`}
      isOpen={isOpen}
      onToggle={toggle}
      summary={
        <>
          <Brain size={14} aria-hidden className="shrink-0 text-faint" />
          <span className="shrink-0 text-xs">
            {shown.isOpen ? (
              <>
                {`${words.thinking} · `}
                <Elapsed since={shown.startedAt} />
              </>
            ) : took >= 1000 ? (
              words.thoughtFor(formats.wholeSeconds(took))
            ) : (
              words.thought
            )}
          </span>
          {!isOpen && (
            <span className="contained truncate text-xs text-faint italic">{lineToShow(thinking, shown.isOpen)}</span>
          )}
        </>
      }
      bodyClassName="ml-3.5 border-l-2 border-line py-1 pl-4"
    >
      <Markdown text={thinking} isOpen={shown.isOpen} className="text-sm text-soft" />
    </Disclosure>
  );
});

/** While it grows its last line, afterwards its first. */
function lineToShow(text: string, isLast: boolean): string {
  const part = isLast ? text.slice(-1000) : text.slice(0, 1000);
  const lines = part.split('\n').filter((line) => line.trim() !== '');
  const line = (isLast ? lines.at(-1) : lines[0]) ?? '';
  return visibleText(plainMarkdown(line).slice(0, 300)).toWellFormed();
}
