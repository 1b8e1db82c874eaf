import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { CONTEXT_CALLS } from '@dragoman/protocol/console-calls';
import { readCall } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { codeFolder } from '../workspaces/code-folder.ts';
import type { WorkspaceWithHealth } from '../workspaces/local-workspaces.ts';
import type { ManageParts } from './manage-handlers.ts';

/** The caller's folders, the one used last first. Looking at the list wakes none of them. */
export async function listWorkspaces(
  { engine, workspaces }: ManageParts,
  request: FastifyRequest,
): Promise<{ workspaces: WorkspaceInfo[]; embeddingModel?: string | undefined }> {
  const { caller } = readCall(CONTEXT_CALLS, 'listWorkspaces', request);
  const known = (await workspaces.overview(caller.userId)).map(toInfo);
  return { workspaces: known, embeddingModel: engine.embeddingModel };
}

/** Takes a folder in. One that is known already is looked at again. */
export async function addWorkspace({ workspaces }: ManageParts, request: FastifyRequest): Promise<WorkspaceInfo> {
  const { caller, body } = readCall(CONTEXT_CALLS, 'addWorkspace', request);
  return toInfo(await workspaces.refreshLater(caller.userId, codeFolder(body.root)));
}

/** Forgets a folder, also one that is gone, is being indexed or is on another machine. */
export async function removeWorkspace({ workspaces }: ManageParts, request: FastifyRequest): Promise<object> {
  const { caller, params } = readCall(CONTEXT_CALLS, 'removeWorkspace', request);
  await workspaces.removeAnywhere(await workspaces.find(caller.userId, params.workspaceId));
  return {};
}

/** Looks at every file again; what comes of it is told by the list. */
export async function refreshWorkspace({ workspaces }: ManageParts, request: FastifyRequest): Promise<WorkspaceInfo> {
  const { caller, params } = readCall(CONTEXT_CALLS, 'refreshWorkspace', request);
  const { root } = await workspaces.findHere(caller.userId, params.workspaceId);
  return toInfo(await workspaces.refreshLater(caller.userId, root));
}

function toInfo({ workspace, health, machine }: WorkspaceWithHealth): WorkspaceInfo {
  const { id, name, root, updatedAt } = workspace;
  const { state, ...rest } = health;
  return {
    id,
    name,
    root,
    state: state === 'unseen' ? 'idle' : state,
    updatedAt,
    ...rest,
    ...(machine !== undefined && { machine }),
  };
}
