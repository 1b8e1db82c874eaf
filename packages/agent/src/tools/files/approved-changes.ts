import { hash } from 'node:crypto';
import { type Tool, ToolError } from '../tool.ts';
import type { FileChange } from './file-diff.ts';

/** Tells these changes, to files as they are, from all others. Their order says nothing. */
export function changesDigest(changes: readonly FileChange[]): string {
  const digests = changes.map((change) => hash('sha256', JSON.stringify(change)));
  return hash('sha256', digests.toSorted().join());
}

/** Throws where other changes than these were planned when a person was asked: files changed since. */
export function checkApproved(changes: readonly FileChange[], { approved }: Pick<Tool.Context, 'approved'>): void {
  if (approved?.digest === undefined || changes.length === 0 || approved.digest === changesDigest(changes)) return;
  const paths = changes.map(({ path }) => path).join(', ');
  throw new ToolError(
    `${paths} changed after a person allowed this change, so nothing was written. Read it again, then make the change.`,
  );
}

/** Whether a text that differs a little from the file may be taken for what is meant: not if a person saw just that text. */
export function mayBeFitted({ approved }: Pick<Tool.Context, 'approved'>): boolean {
  return approved?.isShown !== false;
}
