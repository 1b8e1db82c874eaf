import { DragomanError } from '@dragoman/protocol/error';
import { callerOf, inTurns, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BlobView } from '../blob-view.ts';
import type { ResolvedBlobSet } from '../index/checkpoints/checkpoint-store.ts';
import { nextTurn } from '../index/blobs/next-turn.ts';
import { formatCommits } from '../index/commits/format-commits.ts';
import { answerLength, answerQuestion, NOTHING_SYNCED, shortQuestion } from '../index/answer/answer-question.ts';
import { blobSetSchema } from './blobs-wire.ts';
import type { ContextEngine } from './context-engine.ts';
import { whileConnected } from './while-connected.ts';

const retrievalSchema = z.object({
  information_request: z.string().nullish(),
  query: z.string().nullish(),
  blobs: blobSetSchema,
  /** The conversation so far. The question says what is wanted; what was said before it would lead the search astray. */
  dialog: z.unknown().optional(),
  max_output_length: z.number().nullish(),
  disable_codebase_retrieval: z.boolean().nullish(),
  enable_commit_retrieval: z.boolean().nullish(),
});

const MAX_COMMITS = 8;
const MAX_REPOSITORIES = 4;

/** Code, and commits where they are asked for, for a question in plain words. The answer is always a text. */
export async function codebaseRetrieval(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const body = parseBody(retrievalSchema, request.body);
  const asked = body.information_request ?? body.query;
  if (asked === null || asked === undefined)
    throw new DragomanError('bad-request', 'information_request: expected the question, as text.');
  const query = shortQuestion(asked);
  await nextTurn(); // The names of a large workspace took a while to read.
  const { userId } = callerOf(request);
  const maxLength = answerLength(body.max_output_length);
  const answer = await whileConnected(request, async (signal) => {
    if (query.trim() === '') return 'The question is empty; say in words what you are looking for.';
    const resolved = await engine.checkpoints.resolve(userId, body.blobs);
    const commits =
      body.enable_commit_retrieval === true
        ? await findCommits(engine, userId, resolved.view, { query, maxLength: Math.floor(maxLength / 4) }, signal)
        : '';
    const rest = commits === '' ? maxLength : maxLength - commits.length - 1;
    if (body.disable_codebase_retrieval === true)
      return commits === '' ? 'Code retrieval is turned off in this request.' : commits;
    const code =
      resolved.view.blobNames.size === 0
        ? whyNothing(resolved)
        : await answerQuestion(engine, resolved.view, { query, maxLength: rest }, signal);
    return [code, commits].filter((part) => part !== '').join('\n');
  });
  return { formatted_retrieval: answer.slice(0, maxLength) };
}

/** For whoever reads the answer: a model that is told why there is nothing does not look for it in other words. */
function whyNothing({ isCheckpointKnown, unownedCount }: ResolvedBlobSet): string {
  if (!isCheckpointKnown)
    return 'Nothing can be found: the state of the workspace that this request refers to is not known here. Start the client again, so that it syncs the workspace anew.\n';
  if (unownedCount > 0)
    return `Nothing can be found yet: none of the ${unownedCount} files of this request has been uploaded here.\n`;
  return NOTHING_SYNCED;
}

/** Commits of the user's folders on this machine that have files of the view, or of all when it has none. */
async function findCommits(
  { workspaces, commits }: ContextEngine,
  userId: string,
  { blobNames }: BlobView,
  { query, maxLength }: { query: string; maxLength: number },
  signal: AbortSignal,
): Promise<string> {
  const roots: string[] = [];
  for (const workspace of await workspaces(userId)) {
    if (!workspace.isHere) continue;
    const isAskedAbout = blobNames.size === 0 || hasCommon((await workspace.view(signal)).blobNames, blobNames);
    if (isAskedAbout && !roots.includes(workspace.root)) roots.push(workspace.root);
    if (roots.length === MAX_REPOSITORIES) break;
  }
  const found = await Promise.all(roots.map((root) => commits.search(root, query, MAX_COMMITS, signal)));
  return inTurns(formatCommits(found.flat(), maxLength), signal);
}

function hasCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const name of some) if (others.has(name)) return true;
  return false;
}
