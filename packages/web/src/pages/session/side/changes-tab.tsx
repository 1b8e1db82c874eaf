import type { FileChanges, SessionView } from '@dragoman/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { FolderGit2, GitBranch, GitCommitVertical, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { callKey, useCall } from '../../../api/calls.ts';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { CommitBox } from './commit-box.tsx';
import { ReviewBar } from './review-bar.tsx';
import { sideWords } from './side-words.ts';
import type { ReviewState } from './use-review.ts';

interface ChangesTabProps {
  view: SessionView;
  mayAct: boolean;
  review: ReviewState;
}

/** What git says of a session's folder: what changed, what goes into the next commit, and what to say about it. */
export function ChangesTab({ view, mayAct, review }: ChangesTabProps) {
  const words = sideWords.use();
  const sessionId = view.info.id;
  const { data, error, refetch } = useCall('listFileChanges', { sessionId });
  useFreshChanges(view);
  if (error !== null && data === undefined)
    return (
      <div className="p-3">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <SkeletonRows rows={5} height="h-8" />;
  if (!data.isRepository)
    return (
      <EmptyState icon={<FolderGit2 size={26} aria-hidden />} title={words.notRepository}>
        {words.notRepositoryAbout}
      </EmptyState>
    );
  return (
    <>
      <BranchLine changes={data} onRefresh={() => void refetch()} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error !== null && (
          <div className="p-3">
            <Failure error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {data.files.length === 0 ? (
          <EmptyState icon={<GitCommitVertical size={26} aria-hidden />} title={words.noChanges}>
            {words.noChangesAbout}
          </EmptyState>
        ) : (
          <ChangedFiles sessionId={sessionId} changes={data} mayAct={mayAct} review={review} />
        )}
        {data.isCut && (
          <div className="p-3">
            <Notice>{words.cutChanges}</Notice>
          </div>
        )}
      </div>
      {mayAct && review.comments.length > 0 && <ReviewBar review={review} />}
      {mayAct && data.files.length > 0 && <CommitBox sessionId={sessionId} changes={data} />}
    </>
  );
}

function BranchLine({ changes, onRefresh }: { changes: FileChanges; onRefresh: () => void }) {
  const words = sideWords.use();
  const { branch, upstream, ahead = 0, behind = 0 } = changes;
  return (
    <div className="flex shrink-0 items-center gap-1.5 border-b border-line py-0.5 pr-1.5 pl-3 text-xs text-soft">
      <GitBranch size={13} aria-hidden className="shrink-0 text-faint" />
      <span className="sr-only">{words.branch}</span>
      <span className="contained min-w-0 truncate font-medium" title={upstream}>
        {branch ?? words.noBranch}
      </span>
      {ahead > 0 && <span className="shrink-0 text-faint">{words.ahead(ahead)}</span>}
      {behind > 0 && <span className="shrink-0 text-faint">{words.behind(behind)}</span>}
      <span className="flex-1" />
      <IconButton label={words.refresh} icon={<RefreshCw size={13} aria-hidden />} onClick={onRefresh} />
    </div>
  );
}

/** An agent that works may finish many calls in a moment. */
const CALM_MS = 700;

/** Looks again after each call that ended, because it may have changed files. */
function useFreshChanges({ info, tools, turn }: SessionView): void {
  const cache = useQueryClient();
  const sessionId = info.id;
  let ended = 0;
  for (const { endedAt } of tools.values()) if (endedAt !== undefined) ended++;
  const finishedAt = turn?.finishedAt;
  useEffect(() => {
    const timer = setTimeout(() => {
      void cache.invalidateQueries({ queryKey: callKey('listFileChanges', { sessionId }) });
      void cache.invalidateQueries({ queryKey: ['readDiff', { sessionId }] });
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, [cache, sessionId, ended, finishedAt]);
}
