import type { FileChanges } from '@dragoman/protocol';

/** Whether all of it goes into the next commit, nothing, or a part. */
export type StageState = 'staged' | 'unstaged' | 'partly';

type Changed = Pick<FileChanges['files'][number], 'staged' | 'unstaged'>;

/** How much of what changed in these files is staged. */
export function stageState(files: readonly Changed[]): StageState {
  const hasStaged = files.some(({ staged }) => staged !== undefined);
  const hasRest = files.some(({ unstaged }) => unstaged !== undefined);
  if (hasStaged && hasRest) return 'partly';
  return hasStaged ? 'staged' : 'unstaged';
}
