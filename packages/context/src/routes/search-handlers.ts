import type { CodePlace } from '@dragoman/protocol';
import { callerOf, inTurns, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerPlaces } from '../index/answer/answer-places.ts';
import type { Hit } from '../index/code-index.ts';
import { answerLength, answerQuestion, NOTHING_SYNCED, shortQuestion } from '../index/answer/answer-question.ts';
import { chooseBlobs, type ChosenBlobs, workspaceNameSchema } from './choose-blobs.ts';
import type { ContextEngine } from './context-engine.ts';
import { whileConnected } from './while-connected.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

const limit = z
  .number()
  .nullish()
  .transform((asked) => Math.min(Math.max(Math.floor(asked ?? DEFAULT_LIMIT), 1), MAX_LIMIT));
const workspace = workspaceNameSchema;
const questionText = z.string('expected the question, as text').refine((text) => text.trim() !== '', 'it is empty');
const searchSchema = z.object({ query: questionText, limit, workspace });
const symbolSchema = z.object({
  name: z.string('expected the name of a symbol').trim().min(1, 'it is empty').max(500, 'it is too long for a name'),
  limit,
  workspace,
});
const contextSchema = z.object({ query: questionText, max_output_length: z.number().nullish(), workspace });

/** Ranked places for a question: `/search` and `/codebase_search`. */
export function searchCode(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  return whileConnected(request, async (signal) => {
    const asked = parseBody(searchSchema, request.body);
    const chosen = await chooseBlobs(engine, callerOf(request).userId, asked.workspace);
    if (chosen.view.blobNames.size === 0) return { results: [] };
    const question = { query: shortQuestion(asked.query), limit: asked.limit };
    return {
      results: await toResults(engine, chosen, await engine.index.search(chosen.view, question, signal), signal),
    };
  });
}

/** The places that define a name: `/find_symbol`. */
export function findSymbolInCode(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  return whileConnected(request, async (signal) => {
    const asked = parseBody(symbolSchema, request.body);
    const chosen = await chooseBlobs(engine, callerOf(request).userId, asked.workspace);
    if (chosen.view.blobNames.size === 0) return { results: [] };
    const hits = await engine.index.findSymbol(chosen.view, asked.name, asked.limit, signal);
    return { results: await toResults(engine, chosen, hits, signal) };
  });
}

/** The best places as one text: `/context`. */
export function tellContext(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  return whileConnected(request, async (signal) => {
    const asked = parseBody(contextSchema, request.body);
    const { view } = await chooseBlobs(engine, callerOf(request).userId, asked.workspace);
    const maxLength = answerLength(asked.max_output_length);
    if (view.blobNames.size === 0) return { context: NOTHING_SYNCED.slice(0, maxLength) };
    return { context: await answerQuestion(engine, view, { query: asked.query, maxLength }, signal) };
  });
}

/** Places with their texts. Where several folders were searched, each says which it is in. */
async function toResults(
  { blobs }: ContextEngine,
  { workspaces }: ChosenBlobs,
  hits: readonly Hit[],
  signal: AbortSignal,
): Promise<(CodePlace & { workspace?: string })[]> {
  const found = await blobs.bytes(hits.map((hit) => hit.blobName));
  const places = await inTurns(answerPlaces(hits, found), signal);
  return places.map(({ hit, place }) => {
    const home = workspaces.length > 1 && workspaces.find(({ view }) => view.blobNames.has(hit.blobName));
    return home ? { ...place, workspace: home.workspace.name } : place;
  });
}
