import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { Spinner } from '../../../design/spinner.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { useFormats } from '../../../words/formats.ts';
import { contextWords } from '../context-words.ts';
import { isWorking } from './use-workspaces.ts';

/** How a workspace stands, in a line, and how far it is while it is being indexed. */
export function WorkspaceState({ workspace }: { workspace: WorkspaceInfo }) {
  const words = contextWords.use();
  const formats = useFormats();
  const { state, files, progress, updatedAt } = workspace;
  return (
    <div className="flex min-h-5 flex-col gap-1 text-xs">
      <p className="flex flex-wrap items-center gap-x-2 text-soft">
        <StateWord workspace={workspace} />
        {state === 'indexing' && progress !== undefined ? (
          <span className="tabular-nums">
            {words.progress(formats.count(progress.done), formats.count(progress.total))}
          </span>
        ) : (
          <span className="tabular-nums">{words.files(formats.count(files), files === 1)}</span>
        )}
        {updatedAt !== undefined && !isWorking(workspace) && (
          <TimeAgo at={updatedAt} say={words.updated} className="text-faint" />
        )}
      </p>
      {isWorking(workspace) && <Progress workspace={workspace} />}
    </div>
  );
}

const TONES: Record<WorkspaceInfo['state'], string> = {
  idle: 'text-faint',
  scanning: 'text-busy',
  indexing: 'text-busy',
  ready: 'text-good',
  problem: 'text-bad',
};

function StateWord({ workspace }: { workspace: WorkspaceInfo }) {
  const words = contextWords.use();
  const { state } = workspace;
  const Icon = state === 'ready' ? CircleCheck : state === 'problem' ? CircleAlert : CircleDashed;
  return (
    <span className={`flex items-center gap-1 ${TONES[state]}`}>
      {isWorking(workspace) ? <Spinner size={13} /> : <Icon size={13} aria-hidden />}
      {words.states[state]}
    </span>
  );
}

/** A bar; while the files are counted nobody knows how many there will be, and it breathes. */
function Progress({ workspace: { name, state, progress } }: { workspace: WorkspaceInfo }) {
  const words = contextWords.use();
  const isCounted = state === 'indexing' && progress !== undefined && progress.total > 0;
  const share = isCounted ? Math.min(1, progress.done / progress.total) : 0;
  return (
    <div
      role="progressbar"
      aria-label={words.progressOf(name)}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(isCounted && { 'aria-valuenow': Math.round(share * 100) })}
      className="h-1 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={isCounted ? 'h-full bg-busy transition-[width]' : 'h-full w-full animate-breathe bg-busy'}
        style={isCounted ? { width: `${share * 100}%` } : undefined}
      />
    </div>
  );
}
