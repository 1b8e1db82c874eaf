import { memo, useId, useMemo, useState } from 'react';
import { Code } from '../code/code-block.tsx';
import { readPlaces } from '../code/read-places.ts';
import { LongText } from '../code/long-text.tsx';
import { withVisibleTurns } from '../code/visible-text.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { DiagramView } from '../diagram/diagram-view.tsx';
import { FormulaView } from '../formula/formula-view.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { CodePlaces } from './code-places.tsx';
import { Footnotes, FootnotesContext } from './footnotes.tsx';
import { MarkdownFold } from './markdown-fold.tsx';
import { renderNodes } from './markdown-nodes.tsx';
import { type OpenFile, OpenFileContext } from './open-file.ts';
import { withoutSigns } from './own-nodes.ts';
import { readBlock } from './read-block.ts';
import { type MarkdownBlock, splitBlocks } from './split-blocks.ts';
import { takeFootnotes } from './take-footnotes.ts';

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
const MAX_FORMULA = 5000;
/** Folds in one another. */
const MAX_FOLDS = 8;
/** A caret behind the last word. */
const CARET =
  '[&>:last-child]:after:ml-0.5 [&>:last-child]:after:inline-block [&>:last-child]:after:h-[1em] [&>:last-child]:after:w-[3px] [&>:last-child]:after:translate-y-[2px] [&>:last-child]:after:animate-breathe [&>:last-child]:after:bg-accent [&>:last-child]:after:content-[""]';

/** A text by an agent or a person, in Markdown. Of one that grows only the last part is read again. */
export function Markdown({ text, isOpen = false, onOpenFile, keepsLines = false, className }: MarkdownProps) {
  const id = useId();
  const read = useMemo(() => (text.length > MAX_CHARS ? undefined : takeFootnotes(withoutSigns(text))), [text]);
  if (read === undefined) return <LongText text={text} isGrowing={isOpen} {...(className && { className })} />;
  const shown = (
    <div
      className={classNames('contained flex flex-col gap-2.5', keepsLines && '[&_p]:whitespace-pre-wrap', className)}
    >
      <Blocks text={read.text} isOpen={isOpen} path="" depth={0} />
      {read.notes.length > 0 && (
        <Footnotes
          notes={read.notes}
          render={(note) => <Blocks text={note} isOpen={false} path="" depth={MAX_FOLDS} />}
        />
      )}
    </div>
  );
  const withNotes = read.notes.length === 0 ? shown : <FootnotesContext value={id}>{shown}</FootnotesContext>;
  return onOpenFile === undefined ? withNotes : <OpenFileContext value={onOpenFile}>{withNotes}</OpenFileContext>;
}

interface BlocksProps {
  text: string;
  isOpen: boolean;
  path: string;
  /** In how many folds it is. */
  depth: number;
}

/** A text, part by part. */
function Blocks({ text, isOpen, path, depth }: BlocksProps) {
  const common = useCommonWords();
  const [most, setMost] = useState(MAX_BLOCKS);
  const blocks = useMemo(() => splitBlocks(text, readPath(path)), [text, path]);
  // Of very many parts the first are shown, or the last while there come more.
  const from = isOpen ? Math.max(0, blocks.length - most) : 0;
  return (
    <>
      {blocks.slice(from, from + most).map((block, index) => (
        <Block key={from + index} {...block} isOpen={isOpen && from + index === blocks.length - 1} depth={depth} />
      ))}
      {!isOpen && blocks.length > most && (
        <Button size="small" look="quiet" className="self-start" onClick={() => setMost(most + MAX_BLOCKS)}>
          {common.showMore}
        </Button>
      )}
    </>
  );
}

const Block = memo(function Block(block: MarkdownBlock & { isOpen: boolean; depth: number }) {
  const { isOpen, depth, path } = block;
  if (block.type === 'code' && block.language === 'math' && block.text.length <= MAX_FORMULA)
    return <FormulaView text={block.text} isDisplay isWhole={block.isWhole || !isOpen} />;
  if (block.type === 'code' && block.language === 'mermaid' && (block.isWhole || !isOpen))
    return <DiagramView text={block.text} />;
  const places = block.type === 'code' && block.language === '' ? readPlaces(block.text) : undefined;
  if (places !== undefined) return <CodePlaces places={places} />;
  if (block.type === 'code') return <Code text={block.text} language={block.language} />;
  if (block.type === 'fold' && depth < MAX_FOLDS)
    return (
      <MarkdownFold
        isExpanded={block.isExpanded}
        summary={block.summary === '' ? undefined : <Words text={block.summary} />}
      >
        <Blocks text={block.text} isOpen={isOpen && !block.isWhole} path={path} depth={depth + 1} />
      </MarkdownFold>
    );
  const text = block.type === 'fold' ? `${block.summary}\n\n${block.text}` : block.text;
  const nodes = readBlock(withVisibleTurns(text), isOpen, readPath(path));
  if (nodes === undefined) return <LongText text={text} className="font-sans text-base" />;
  return <div className={classNames('flex flex-col gap-2.5', isOpen && CARET)}>{renderNodes(nodes)}</div>;
});

/** One line of words; its paragraph is a part of the line. */
function Words({ text }: { text: string }) {
  const nodes = readBlock(withVisibleTurns(text), false);
  return <span className="contained [&>p]:inline">{nodes === undefined ? text : renderNodes(nodes)}</span>;
}

function readPath(path: string): number[] {
  return path === '' ? [] : path.split(',').map(Number);
}
