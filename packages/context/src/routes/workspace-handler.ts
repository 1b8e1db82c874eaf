import { callerOf, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { chooseBlobs, workspaceNameSchema } from './choose-blobs.ts';
import type { ContextEngine } from './context-engine.ts';
import { describeFiles } from './describe-files.ts';
import { whileConnected } from './while-connected.ts';

const workspaceSchema = z.object({ workspace: workspaceNameSchema });
const RECENT = 10;

/** `/workspace_context`: facts about what is synced; of several folders, about the one used last. */
export function workspaceContext(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  return whileConnected(request, async (signal) => {
    const { workspace: named } = parseBody(workspaceSchema, request.body ?? {});
    const { userId } = callerOf(request);
    const known = await engine.workspaces(userId);
    const { view, workspaces } = await chooseBlobs(engine, userId, named ?? known[0]?.id);
    const workspace = workspaces[0]?.workspace;
    const facts = await engine.blobs.facts([...view.blobNames]);
    const commits = workspace?.isHere !== true ? [] : await engine.commits.latest(workspace.root, RECENT, signal);
    return {
      id: workspace?.id ?? null,
      name: workspace?.name ?? null,
      root: workspace?.root ?? null,
      ...describeFiles([...facts.values()]),
      recent_changes: commits.map(({ sha, time, author, subject, paths }) => ({ sha, time, author, subject, paths })),
      workspaces: known.map(({ id, name, root }) => ({ id, name, root })),
    };
  });
}
