import { Search } from 'lucide-react';
import { memo } from 'react';
import { type Call, callKind, type CallStatus, deniedApproval } from '@dragoman/protocol';
import { CallStatusMark } from './call-status.tsx';
import { callTitle } from './call-title.ts';
import { conversationWords } from './conversation-words.ts';
import { Disclosure } from './disclosure.tsx';
import { useOpen } from './open-state.ts';
import { CallList } from './tool-card.tsx';

/** Calls in a row that only look at things, as one line: "Read 5 files". */
export const CallGroup = memo(function CallGroup({ calls }: { calls: readonly Call[] }) {
  const words = conversationWords.use();
  const [isOpen, toggle] = useOpen(`calls ${calls[0]?.id}`);
  const title = groupTitle(words, calls);
  const allowed = calls.filter((call) => deniedApproval(call) === undefined);
  const failed = allowed.filter(({ tool }) => tool?.status === 'Error').length;
  const tool = groupState(allowed);
  const last = callTitle(words, calls.at(-1)!.use.block);
  return (
    <Disclosure
      piece={`calls ${calls[0]?.id}`}
      isOpen={isOpen}
      onToggle={toggle}
      className="min-w-0 rounded-md border border-line bg-panel"
      summary={
        <>
          <Search size={14} aria-hidden className="shrink-0 text-faint" />
          <span className="shrink-0 font-medium text-ink">{title}</span>
          <span className="contained truncate font-mono text-xs text-faint">{last.subject}</span>
          <CallStatusMark
            tool={tool}
            isDenied={allowed.length === 0}
            label={tool?.status === 'Error' ? words.failed(failed) : undefined}
          />
        </>
      }
      bodyClassName="border-t border-line p-2"
    >
      <CallList calls={calls} label={title} />
    </Disclosure>
  );
});

/** What the calls did, counted. */
function groupTitle(words: ReturnType<typeof conversationWords.use>, calls: readonly Call[]): string {
  const reads = calls.filter(({ use }) => callKind(use.block) === 'read');
  const searches = calls.length - reads.length;
  if (reads.length === 0) return words.onlySearches(searches);
  const files = new Set(reads.map(fileOf)).size;
  const read = files === reads.length ? words.readFiles(files) : words.readFilesOften(files, reads.length);
  return searches === 0 ? read : `${read}, ${words.searches(searches)}`;
}

/** The file that a call reads, where it says so; else each is one of its own. */
function fileOf({ id, use: { block } }: Call): string {
  const input = block.input as Readonly<Record<string, unknown>> | null;
  const named = [input?.['filePath'], input?.['file_path'], input?.['path'], block.locations?.[0]?.path];
  return named.find((path) => typeof path === 'string' && path !== '')?.toString() ?? `call ${id}`;
}

/** How they stand together: as the one that matters most, from the first to the last. */
function groupState(calls: readonly Call[]): Call['tool'] {
  const tools = calls.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const [first] = tools;
  if (first === undefined) return undefined;
  const has = (status: CallStatus) => tools.some((tool) => tool.status === status);
  const status = TELLING.find(has) ?? first.status;
  const ends = tools.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [endedAt]));
  const isOver = status === 'Success' || status === 'Error';
  return {
    status,
    startedAt: Math.min(...tools.map(({ startedAt }) => startedAt)),
    waitedMs: tools.reduce((sum, { waitedMs = 0 }) => sum + waitedMs, 0),
    ...(isOver && ends.length > 0 && { endedAt: Math.max(...ends) }),
  };
}

/** What one of several calls says about all of them; what says most stands first. */
const TELLING = ['Running', 'Error', 'Interrupted', 'Success'] as const satisfies readonly CallStatus[];
