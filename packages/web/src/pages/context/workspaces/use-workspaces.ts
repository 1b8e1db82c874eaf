import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, callKey, useCall } from '../../../api/calls.ts';

const WHILE_WORKING_MS = 1000;
const OTHERWISE_MS = 15_000;

/** The workspaces, looked at every second while one of them is being indexed. */
export function useWorkspaces() {
  const cache = useQueryClient();
  const known = cache.getQueryData<AnswerOf<'listWorkspaces'>>(callKey('listWorkspaces'))?.workspaces ?? [];
  return useCall('listWorkspaces', undefined, { everyMs: known.some(isWorking) ? WHILE_WORKING_MS : OTHERWISE_MS });
}

/** Whether its files are being looked at. */
export function isWorking({ state }: WorkspaceInfo): boolean {
  return state === 'scanning' || state === 'indexing';
}
