import { callerOf, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { blobSetSchema } from './blobs-wire.ts';
import type { ContextEngine } from './context-engine.ts';
import { nextTurn } from '../index/blobs/next-turn.ts';

/** Clients look a few hundred commits back. */
const MOST_COMMITS = 1_000;

const latestSchema = z.object({ commit_shas: z.array(z.string().max(200)).max(MOST_COMMITS).nullish() });
const registerSchema = z.object({
  commit: z.object({ commit_sha: z.string().max(200).nullish(), commit_time: z.string().max(200).nullish() }).nullish(),
  blobs: blobSetSchema,
});

/**
 * The blobs of the first of these commits that has some. What clients make of the answer is not known; it has the form
 * in which they register one, and nothing in it where there is none.
 */
export async function latestBlobset(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const { commit_shas: shas } = parseBody(latestSchema, request.body ?? {});
  const found = await engine.blobsets.latest(callerOf(request).userId, shas ?? []);
  if (found === undefined) return {};
  return {
    commit: { commit_sha: found.commitSha, commit_time: found.commitTime },
    blobs: { checkpoint_id: found.checkpointId, added_blobs: [], deleted_blobs: [] },
  };
}

/** Keeps which blobs a commit has. */
export async function registerBlobset(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const { commit, blobs } = parseBody(registerSchema, request.body ?? {});
  await nextTurn();
  const { userId } = callerOf(request);
  const { view, isCheckpointKnown } = await engine.checkpoints.resolve(userId, blobs);
  if (typeof commit?.commit_sha !== 'string' || !isCheckpointKnown || view.blobNames.size === 0) return {};
  await engine.blobsets.register(userId, {
    commitSha: commit.commit_sha,
    commitTime: commit.commit_time ?? '',
    checkpointId: await engine.checkpoints.checkpoint(userId, blobs),
  });
  return {};
}
