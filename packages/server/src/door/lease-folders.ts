import { isAbsolute } from 'node:path';
import { DragomanError, isRoleAtLeast } from '@dragoman/protocol';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import type { FastifyRequest } from 'fastify';
import { readCall } from './read-call.ts';

/**
 * The folders that a lease names. They may be searched for others, so it takes somebody who may have any folder
 * searched.
 */
export function leaseFolders(request: FastifyRequest): string[] {
  const { caller, query } = readCall(SETTINGS_CALLS, 'holdLease', request);
  const { workspace } = query;
  if (workspace.length > 0 && !isRoleAtLeast(caller.role, 'admin'))
    throw new DragomanError('forbidden', 'workspace: only an admin can choose the folders to search.');
  const odd = workspace.find((folder) => !isAbsolute(folder));
  if (odd !== undefined)
    throw new DragomanError('bad-request', `workspace: ${JSON.stringify(odd.slice(0, 200))} is not a full path.`);
  return workspace;
}
