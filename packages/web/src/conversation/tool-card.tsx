import { memo, useMemo } from 'react';
import { approvalWords } from '../approval/approval-words.ts';
import { decisionWords } from '../approval/decision-line.tsx';
import { useOptionName } from '../approval/option-name.ts';
import { visibleText } from '../code/visible-text.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { DiffCounts } from '../diff/diff-counts.tsx';
import { parseUnified } from '../diff/parse-unified.ts';
import { useFormats } from '../words/formats.ts';
import { type Call, callKind, deniedApproval, plainOutput } from '@dragoman/protocol';
import { CallStatusMark } from './call-status.tsx';
import { callTitle } from './call-title.ts';
import { conversationWords } from './conversation-words.ts';
import { Disclosure } from './disclosure.tsx';
import { KindIcon } from './kind-icon.tsx';
import { useOpen } from './open-state.ts';
import { ToolBody } from './tool-body.tsx';
import { useShownCalls } from './use-shown-calls.ts';

/** A call in one line; open it shows what went in, what came out, and what was asked about it. */
export const ToolCard = memo(function ToolCard({ call }: { call: Call }) {
  const words = conversationWords.use();
  const { use, tool, children } = call;
  const [isOpen, toggle] = useOpen(`call ${call.id}`, isAsking(call));
  const { verb, subject } = callTitle(words, use.block);
  return (
    <Disclosure
      piece={`call ${call.id}`}
      isOpen={isOpen}
      onToggle={toggle}
      className={classNames(
        'min-w-0 rounded-md border bg-panel',
        tool?.status === 'Waiting' ? 'border-warn/60' : 'border-line',
      )}
      summary={
        <>
          <KindIcon kind={callKind(use.block)} />
          <span className="flex min-w-0 items-baseline gap-1.5">
            {verb !== '' && <span className="shrink-0 font-medium text-ink">{verb}</span>}
            {subject !== '' && (
              <span title={subject} className="contained truncate font-mono text-xs">
                {subject}
              </span>
            )}
          </span>
          {children.length > 0 && (
            <span className="shrink-0 text-2xs text-faint">{words.subcalls(children.length)}</span>
          )}
          <ChangedLines call={call} />
          <CallStatusMark tool={tool} isDenied={deniedApproval(call) !== undefined} />
        </>
      }
      bodyClassName="border-t border-line"
    >
      <ToolBody
        call={call}
        nested={
          children.length > 0 && (
            <div className="border-l-2 border-line pl-3">
              <CallList calls={children} label={words.subcalls(children.length)} />
            </div>
          )
        }
      />
    </Disclosure>
  );
});

/** Calls under one another; of very many the first, and then as many as one asks for. */
export function CallList({ calls, label }: { calls: readonly Call[]; label: string }) {
  const words = conversationWords.use();
  const formats = useFormats();
  const shown = useShownCalls(calls);
  return (
    <>
      <ul aria-label={label} className="flex flex-col gap-1.5">
        {shown.calls.map((call) => (
          <li key={call.id} className="min-w-0">
            <ToolCard call={call} />
            <CardNote call={call} />
          </li>
        ))}
      </ul>
      {shown.left > 0 && (
        <Button size="small" look="quiet" className="mt-1.5" onClick={shown.showMore}>
          {words.moreCalls(formats.count(shown.next), formats.count(shown.left))}
        </Button>
      )}
    </>
  );
}

/** What stands under a folded card: who denied it, why it failed, or what the task is at. */
export function CardNote({ call }: { call: Call }) {
  const words = conversationWords.use();
  const about = approvalWords.use();
  const nameOf = useOptionName();
  const [isOpen] = useOpen(`call ${call.id}`, isAsking(call));
  if (isOpen) return null;
  const { tool, result, children } = call;
  const denied = deniedApproval(call);
  const hasFailed = tool?.status === 'Error' && denied === undefined;
  const text =
    denied?.decided !== undefined
      ? visibleText(decisionWords(about, nameOf, denied.options, denied.decided))
      : hasFailed && result !== undefined
        ? firstLine(result.block.content)
        : tool?.status === 'Running' && children.length > 0
          ? lineOf(words, children.at(-1)!)
          : '';
  if (text === '') return null;
  return (
    <p className={classNames('contained truncate pt-0.5 pl-9 text-xs', hasFailed ? 'text-bad' : 'text-faint')}>
      {text}
    </p>
  );
}

/** Whether a call, or one that it made, waits for an answer. */
function isAsking({ tool, children }: Call): boolean {
  return tool?.status === 'Waiting' || children.some(isAsking);
}

function lineOf(words: ReturnType<typeof conversationWords.use>, { use }: Call): string {
  const { verb, subject } = callTitle(words, use.block);
  return `↳ ${verb} ${subject}`.replace('  ', ' ').trim();
}

function firstLine(text: string): string {
  return visibleText(plainOutput(text.slice(0, 2000)).trim().split('\n', 1)[0]!.slice(0, 300)).toWellFormed();
}

function ChangedLines({ call: { result } }: { call: Call }) {
  const diffs = result?.block.diffs;
  const counts = useMemo(() => {
    const sum = { added: 0, removed: 0 };
    for (const { unified } of diffs ?? []) {
      const { added, removed } = parseUnified(unified.slice(0, 500_000));
      sum.added += added;
      sum.removed += removed;
    }
    return sum;
  }, [diffs]);
  return <DiffCounts {...counts} />;
}
