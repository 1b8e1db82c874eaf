import { plainOutput, type ShownOf, type ToolKind } from '@dragoman/protocol';
import { useMemo } from 'react';
import { Code } from '../code/code-block.tsx';
import { readPlaces } from '../code/read-places.ts';
import { LongText } from '../code/long-text.tsx';
import { classNames } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { CodePlaces } from '../markdown/code-places.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { CardPart } from './card-part.tsx';
import { conversationWords } from './conversation-words.ts';
import { prettyJson } from './pretty-json.ts';

interface ToolOutputProps {
  shown: ShownOf<'tool_result'>;
  /** It is still coming: the end is in sight. */
  isLive: boolean;
  /** Something else shows what came of it, so nothing is not worth a word. */
  isQuiet: boolean;
  /** It did not run because somebody said no: nothing failed. */
  isDenied?: boolean;
  kind?: ToolKind;
}

const MAX_JSON = 50_000;

/** What came of a call, as words. */
export function ToolOutput({ shown, isLive, isQuiet, isDenied = false, kind }: ToolOutputProps) {
  const words = conversationWords.use();
  const { content } = shown.block;
  const isError = shown.block.is_error === true && !isDenied;
  const text = useMemo(() => plainOutput(content).replace(/^\n+|\s+$/g, ''), [content]);
  const json = useMemo(() => (isLive ? undefined : asJson(text)), [text, isLive]);
  const places = useMemo(() => readPlaces(text), [text]);
  if (text === '') return isQuiet || isLive ? null : <p className="text-xs text-faint">{words.noOutput}</p>;
  return (
    <CardPart title={words.output} actions={<CopyButton text={content} label={words.copyText} className="size-6!" />}>
      {kind === 'task' && !isError ? (
        <Markdown text={content} isOpen={isLive} className="text-sm" />
      ) : places !== undefined && !isError ? (
        <CodePlaces places={places} />
      ) : json !== undefined ? (
        <Code text={json} language="json" isBare className="max-h-96 overflow-y-auto" />
      ) : (
        <div
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
          tabIndex={0}
          role="group"
          aria-label={words.output}
          className={classNames(
            'flex max-h-96 overflow-y-auto rounded-md border p-2.5',
            // What grows keeps its end in sight.
            isLive ? 'flex-col-reverse' : 'flex-col',
            isError ? 'border-bad/40 bg-bad-wash' : 'border-line bg-raised',
          )}
        >
          <div className="min-w-0">
            <LongText text={text} isGrowing={isLive} />
          </div>
        </div>
      )}
      {isError && <p className="pt-1 text-2xs text-faint">{words.errorHelp}</p>}
    </CardPart>
  );
}

function asJson(text: string): string | undefined {
  if (text.length > MAX_JSON || !/^[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? prettyJson(value) : undefined;
  } catch {
    return undefined; // Words that begin like it.
  }
}
