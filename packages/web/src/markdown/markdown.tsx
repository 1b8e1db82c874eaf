import { memo, useMemo, useState } from 'react';
import { Code } from '../code/code-block.tsx';
import { LongText } from '../code/long-text.tsx';
import { withVisibleTurns } from '../code/visible-text.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { useCommonWords } from '../words/common-words.ts';
import { renderNodes } from './markdown-nodes.tsx';
import { type OpenFile, OpenFileContext } from './open-file.ts';
import { readBlock } from './read-block.ts';
import { type MarkdownBlock, splitBlocks } from './split-blocks.ts';

/** What a text is shown with. */
export interface MarkdownProps {
  text: string;
  /** It is still being written. */
  isOpen?: boolean | undefined;
  /** Called for a place in the project that the text names, such as `src/a.ts:12`. */
  onOpenFile?: OpenFile | undefined;
  /** Every line stays a line, as people mean them. */
  keepsLines?: boolean | undefined;
  className?: string | undefined;
}

/** A text of this length is no answer to be read; it is shown as it was written, in pieces. */
const MAX_CHARS = 200_000;
const MAX_BLOCKS = 400;
/** A caret behind the last word. */
const CARET =
  '[&>:last-child]:after:ml-0.5 [&>:last-child]:after:inline-block [&>:last-child]:after:h-[1em] [&>:last-child]:after:w-[3px] [&>:last-child]:after:translate-y-[2px] [&>:last-child]:after:animate-breathe [&>:last-child]:after:bg-accent [&>:last-child]:after:content-[""]';

/** A text by an agent or a person, in Markdown. Of one that grows only the last part is read again. */
export function Markdown({ text, isOpen = false, onOpenFile, keepsLines = false, className }: MarkdownProps) {
  const common = useCommonWords();
  const [most, setMost] = useState(MAX_BLOCKS);
  const blocks = useMemo(() => (text.length > MAX_CHARS ? undefined : splitBlocks(text)), [text]);
  if (blocks === undefined) return <LongText text={text} isGrowing={isOpen} {...(className && { className })} />;
  // Of very many parts the first are shown, or the last while there come more.
  const from = isOpen ? Math.max(0, blocks.length - most) : 0;
  const shown = (
    <div
      className={classNames('contained flex flex-col gap-2.5', keepsLines && '[&_p]:whitespace-pre-wrap', className)}
    >
      {blocks.slice(from, from + most).map((block, index) => (
        <Block key={from + index} {...block} isOpen={isOpen && from + index === blocks.length - 1} />
      ))}
      {!isOpen && blocks.length > most && (
        <Button size="small" look="quiet" className="self-start" onClick={() => setMost(most + MAX_BLOCKS)}>
          {common.showMore}
        </Button>
      )}
    </div>
  );
  return onOpenFile === undefined ? shown : <OpenFileContext value={onOpenFile}>{shown}</OpenFileContext>;
}

const Block = memo(function Block({ type, text, language, isOpen }: MarkdownBlock & { isOpen: boolean }) {
  if (type === 'code') return <Code text={text} language={language} />;
  const nodes = readBlock(withVisibleTurns(text), isOpen);
  if (nodes === undefined) return <LongText text={text} className="font-sans text-base" />;
  return <div className={classNames('flex flex-col gap-2.5', isOpen && CARET)}>{renderNodes(nodes)}</div>;
});
