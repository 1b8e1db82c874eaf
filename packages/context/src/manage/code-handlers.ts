import { DragomanError } from '@dragoman/protocol/error';
import type { RankedPlace } from '@dragoman/protocol/console';
import { CONTEXT_CALLS } from '@dragoman/protocol/console-calls';
import { inTurns, readCall } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { redactSourceInTurns } from '@dragoman/protocol/secrets';
import { whileConnected } from '../routes/while-connected.ts';
import { explainedSearch } from '../workspaces/explained-search.ts';
import type { ManageParts } from './manage-handlers.ts';
import { workspacePath } from './workspace-path.ts';

const DEFAULT_LIMIT = 10;
/** A question waits for the files that are not indexed yet; a little less long than the client waits for the answer. */
const ANSWER_WITHIN_MS = 110_000;
/** So much of a file is shown, in characters. */
const MOST_SHOWN = 1_000_000;

/** The places that answer a question about one folder as it is now, and what spoke for each. */
export function searchCode(
  { engine, workspaces }: ManageParts,
  request: FastifyRequest,
): Promise<{ places: RankedPlace[]; tookMs: number; files: number }> {
  const { caller, params, body } = readCall(CONTEXT_CALLS, 'searchCode', request);
  return whileConnected(request, async (left) => {
    const started = performance.now();
    const workspace = await workspaces.find(caller.userId, params.workspaceId);
    const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const signal = AbortSignal.any([left, late]);
    try {
      const view = await workspaces.viewOf(workspace, signal);
      const question = { query: body.question, limit: body.limit ?? DEFAULT_LIMIT };
      const found = await explainedSearch(engine, view, question, signal);
      const places = found.map(({ path, start, end, text, score, why }) => ({
        path,
        startLine: start,
        endLine: end,
        text,
        score,
        why,
      }));
      return { places, tookMs: Math.round(performance.now() - started), files: view.blobNames.size };
    } catch (cause) {
      if (!late.aborted) throw cause;
      throw new DragomanError(
        'timed-out',
        `${workspace.root} was not indexed within ${ANSWER_WITHIN_MS / 1_000} s. That goes on; ask again when it is done.`,
        { cause, isRetryable: true },
      );
    }
  });
}

/** A file as it was when it was indexed, secrets masked as in answers. */
export async function readCode(
  { engine, workspaces }: ManageParts,
  request: FastifyRequest,
): Promise<{ path: string; text: string; isCut: boolean }> {
  const { caller, params, query } = readCall(CONTEXT_CALLS, 'readCode', request);
  const workspace = await workspaces.find(caller.userId, params.workspaceId);
  const { root } = workspace;
  const path = workspacePath(root, query.path);
  const blobName = await workspaces.blobAt(workspace, path);
  const content = blobName === undefined ? undefined : (await engine.blobs.contents([blobName])).get(blobName);
  if (content === undefined) throw new DragomanError('not-found', `${path || root} is not an indexed file of ${root}.`);
  const text = await inTurns(redactSourceInTurns(content.text, path));
  return { path, ...beginning(text) };
}

/** Cut after the masking, as half of a secret is not recognised, and at the end of a line where there is one. */
function beginning(text: string): { text: string; isCut: boolean } {
  if (text.length <= MOST_SHOWN) return { text, isCut: false };
  const lineEnd = text.lastIndexOf('\n', MOST_SHOWN);
  return { text: text.slice(0, lineEnd > 0 ? lineEnd + 1 : MOST_SHOWN).toWellFormed(), isCut: true };
}
