import type { WorkspaceInfo } from '@dragoman/protocol/console';

/** Its folder, as `scp` names one where there are several machines. */
export function workspacePlace({ machine, root }: WorkspaceInfo): string {
  return machine === undefined ? root : `${machine}:${root}`;
}
