import { useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { useFormats } from '../words/formats.ts';
import { CodeLine } from './code-line.tsx';
import { codeWords } from './code-words.ts';
import { hasLongLine } from './has-long-line.ts';
import { grammarOf } from './grammars.ts';
import { LongText } from './long-text.tsx';
import { useColours } from './use-colours.ts';
import { visibleText } from './visible-text.ts';

/** What code is shown with. */
export interface CodeProps {
  text: string;
  /** As a fence or the end of a file's name calls it. */
  language?: string | undefined;
  /** The number of the first line; lines are numbered where it is given. */
  startLine?: number | undefined;
  /** These lines stand out: from, to. */
  marked?: readonly [number, number] | undefined;
  /** Without the line above it that names the language and copies. */
  isBare?: boolean | undefined;
  className?: string | undefined;
}

const MAX_LINES = 2000;
/** A text with lines of such a length is no code that somebody reads. */
const MAX_LINE = 20_000;

/** Code in its own box, in colour, with a button that copies it. */
export function Code({ text, language, startLine, marked, isBare = false, className }: CodeProps) {
  const words = codeWords.use();
  const name = language?.trim() ?? '';
  return (
    <div className={classNames('group relative overflow-hidden rounded-md border border-line bg-raised', className)}>
      {!isBare && name === '' && (
        <CopyButton
          text={text}
          label={words.copyCode}
          className="absolute top-0.5 right-0.5 z-10 bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        />
      )}
      {!isBare && name !== '' && (
        <div className="flex h-8 items-center justify-between border-b border-line pr-0.5 pl-3">
          <span className="truncate font-mono text-2xs text-faint">{name.slice(0, 40)}</span>
          <CopyButton text={text} label={words.copyCode} />
        </div>
      )}
      {hasLongLine(text, MAX_LINE) ? (
        <LongText text={text} className="p-3" />
      ) : (
        <Lines text={text} language={grammarOf(name)} startLine={startLine} marked={marked} />
      )}
    </div>
  );
}

function Lines({ text, language, startLine, marked }: Pick<CodeProps, 'text' | 'language' | 'startLine' | 'marked'>) {
  const words = codeWords.use();
  const formats = useFormats();
  const [most, setMost] = useState(MAX_LINES);
  const shown = useMemo(() => {
    const visible = visibleText(text.replace(/\n$/, ''));
    return { text: visible, lines: visible.split('\n') };
  }, [text]);
  const colours = useColours(shown.text, shown.lines, language);
  const left = Math.max(0, shown.lines.length - most);
  const width = `${String((startLine ?? 1) + shown.lines.length).length + 1}ch`;
  return (
    <>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={language === undefined ? words.plainCode : words.code(language)}
        className="overflow-x-auto py-2 font-mono text-xs [unicode-bidi:isolate]"
      >
        <code className="block w-max min-w-full">
          {shown.lines.slice(0, most).map((line, index) => (
            <span
              key={index}
              data-line={startLine === undefined ? undefined : startLine + index}
              className={classNames(
                'block min-h-[1.125rem] px-3',
                isMarked(marked, startLine, index) && 'bg-warn-wash',
              )}
            >
              {startLine !== undefined && (
                <span
                  aria-hidden
                  style={{ minWidth: width }}
                  className="mr-3 inline-block text-right text-faint select-none"
                >
                  {startLine + index}
                </span>
              )}
              <CodeLine text={line} pieces={colours(index)} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
      {left > 0 && (
        <Button size="small" look="quiet" className="m-1" onClick={() => setMost(most + MAX_LINES)}>
          {words.moreLines(formats.count(Math.min(left, MAX_LINES)))}
        </Button>
      )}
    </>
  );
}

function isMarked(marked: CodeProps['marked'], startLine: number | undefined, index: number): boolean {
  if (marked === undefined) return false;
  const line = (startLine ?? 1) + index;
  return line >= marked[0] && line <= marked[1];
}
