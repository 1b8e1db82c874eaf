import { CONTEXT_CALLS } from '@dragoman/protocol/console-calls';
import { readCall } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { explainPath as explain } from '../sync/walk/explain-path.ts';
import { groupLeftOut, type LeftOutGroup } from './left-out-groups.ts';
import type { ManageParts } from './manage-handlers.ts';
import { workspacePath } from './workspace-path.ts';

type Explained = z.infer<(typeof CONTEXT_CALLS)['explainPath']['answer']>;

/** What is not indexed, as it was when the files were last looked at: that is remembered, so nothing is looked at now. */
export async function listLeftOut(
  { workspaces }: ManageParts,
  request: FastifyRequest,
): Promise<{ groups: LeftOutGroup[] }> {
  const { caller, params } = readCall(CONTEXT_CALLS, 'listLeftOut', request);
  const { root } = await workspaces.findHere(caller.userId, params.workspaceId);
  const sync = await workspaces.open(caller.userId, root);
  return { groups: groupLeftOut(sync.leftOut()) };
}

/** What the rules say about a path as it is on disk now, layer by layer. */
export async function explainPath({ engine, workspaces }: ManageParts, request: FastifyRequest): Promise<Explained> {
  const { caller, params, query } = readCall(CONTEXT_CALLS, 'explainPath', request);
  const { root } = await workspaces.findHere(caller.userId, params.workspaceId);
  const path = workspacePath(root, query.path);
  const { maxBlobBytes: maxBytes, extensions } = engine;
  const { accepted, layers, leftOut, decidedBy } = explain(root, path, { maxBytes, extensions });
  const about = leftOut === undefined || leftOut === path ? '' : `, so the folder ${leftOut} is left out`;
  return {
    path,
    isIndexed: accepted,
    layers: layers.map((layer) => ({
      layer: layer.layer,
      says: `${layer.verdict === 'passes' ? '' : `${layer.verdict}: `}${layer.reason}${layer === decidedBy ? about : ''}`,
      decides: layer === decidedBy,
    })),
  };
}
