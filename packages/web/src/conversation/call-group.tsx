import { Search } from 'lucide-react';
import { memo } from 'react';
import { type Call, callKind, deniedApproval } from '@dragoman/protocol';
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
  const failed = calls.filter((call) => call.tool?.status === 'Error' && deniedApproval(call) === undefined).length;
  const tool = groupState(calls);
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
          {failed > 0 && <span className="shrink-0 text-2xs text-bad">{words.failed(failed)}</span>}
          <CallStatusMark tool={tool} />
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
  const of = (status: string) => tools.find((tool) => tool.status === status);
  const { status } = of('Running') ?? of('Interrupted') ?? of('Success') ?? first;
  const ends = tools.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [endedAt]));
  const startedAt = Math.min(...tools.map((tool) => tool.startedAt));
  return { status, startedAt, ...(status === 'Success' && ends.length > 0 && { endedAt: Math.max(...ends) }) };
}
