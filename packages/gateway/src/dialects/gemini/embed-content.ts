import { DragomanError } from '@dragoman/protocol';
import { inTurns, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { embed } from '../../embed/embed.ts';
import { embedderProblem } from '../../embed/find-embedder.ts';
import type { Gateway } from '../../gateway.ts';
import type { CallOwner } from '../../metering/note-call.ts';
import { noteSideCall } from '../../metering/note-side-call.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { each, Redaction } from '../../policy/redaction.ts';
import { routeTo } from '../../routing/resolve-route.ts';
import { type Target, targetName } from '../../routing/target.ts';
import { modelPath, modelResource } from '../../upstreams/gemini/model-path.ts';
import { readText } from '../../upstreams/http-caller.ts';
import { parseAnswer } from '../../upstreams/parse-answer.ts';
import { toConnectionError } from '../../upstreams/upstream-error.ts';
import { httpUpstream } from '../../upstreams/upstream-registry.ts';
import { contentSchema } from './wire.ts';

/** As many texts as Google takes at once. */
const MOST_REQUESTS = 100;
/** A hundred vectors of some thousand numbers, written out. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

const requestSchema = z
  .looseObject({
    content: contentSchema,
    outputDimensionality: z.int().positive().nullish(),
    output_dimensionality: z.int().positive().nullish(),
  })
  .transform(({ content, outputDimensionality, output_dimensionality: dimensions, ...rest }) => ({
    text: content.parts.map(({ text }) => text ?? '').join('\n'),
    dimensions: outputDimensionality ?? dimensions ?? undefined,
    ...pickHints(rest),
  }));
type EmbedRequest = z.output<typeof requestSchema>;

const batchSchema = z.looseObject({ requests: z.array(requestSchema).min(1).max(MOST_REQUESTS) });
const answerSchema = z.looseObject({ embeddings: z.array(z.looseObject({ values: z.array(z.number()) })) });

interface EmbedCall {
  gateway: Gateway;
  caller: CallOwner & ModelAsker;
  request: FastifyRequest;
  asked: string;
  signal: AbortSignal;
}

/** The vector of one content. */
export async function embedContent(call: EmbedCall, body: unknown): Promise<object> {
  const [values] = await embedAll(call, [parseBody(requestSchema, body)]);
  return { embedding: { values } };
}

/** A vector for each of several contents, in their order. */
export async function batchEmbedContents(call: EmbedCall, body: unknown): Promise<object> {
  const vectors = await embedAll(call, parseBody(batchSchema, body).requests);
  return { embeddings: vectors.map((values) => ({ values })) };
}

/** Made by the provider that is named, else by where the route `embedding` leads. */
async function embedAll(call: EmbedCall, requests: EmbedRequest[]): Promise<number[][]> {
  const { gateway, asked, caller, request, signal } = call;
  const config = gateway.config();
  const isNamed =
    asked.includes('/') || Object.hasOwn(config.routes, asked) || config.routes['embedding'] === undefined;
  const { targets, isRedacted } = resolveAllowed(isNamed ? asked : 'embedding', config, caller);
  const target = targets[0]!;
  if (target.provider.type === 'gemini') return askGoogle(call, target, isRedacted, requests);
  const model = targetName(target);
  const problem = embedderProblem(model, config.providers);
  if (problem !== undefined)
    throw new DragomanError(
      'not-found',
      `"${asked.slice(0, 200)}" cannot create embeddings: ${problem}. Point the route "embedding" to a model that can.`,
    );
  const vectors = await embed(
    requests.map(({ text }) => text),
    {
      model,
      dimensions: sameDimensions(requests),
      providers: config.providers,
      upstreams: gateway.upstreams,
      isRedacted,
      notes: { book: gateway, caller, request },
      signal,
    },
  );
  return vectors.map((vector) => Array.from(vector));
}

async function askGoogle(
  { gateway, caller, request, signal }: EmbedCall,
  target: Target,
  isRedacted: boolean,
  requests: EmbedRequest[],
): Promise<number[][]> {
  const redaction = new Redaction();
  const texts = isRedacted
    ? await inTurns(
        each(requests, ({ text }) => redaction.toolText(text)),
        signal,
      )
    : requests.map(({ text }) => text);
  const body = JSON.stringify({
    requests: requests.map(({ dimensions, text: _text, ...hints }, at) => ({
      model: modelResource(target.model),
      content: { parts: [{ text: texts[at] }] },
      outputDimensionality: dimensions,
      ...hints,
    })),
  });
  const question = { path: modelPath(target.model, 'batchEmbedContents'), headers: {}, body };
  return noteSideCall(
    {
      dialect: 'embeddings',
      model: targetName(target),
      route: routeTo(target, targetName(target), isRedacted),
      signal,
      notes: { book: gateway, caller, request },
      redactions: redaction.count,
      toError: (thrown) => toConnectionError(target.providerName, thrown),
    },
    async () => {
      const answer = await gateway.upstreams.http.send(await httpUpstream('gemini'), target, question, signal);
      const parsed = answerSchema.safeParse(parseAnswer(await readText(answer, MOST_ANSWER_BYTES)));
      if (!parsed.success || parsed.data.embeddings.length !== requests.length)
        throw new DragomanError('unavailable', `The provider "${target.providerName}" did not return vectors.`);
      return parsed.data.embeddings.map(({ values }) => values);
    },
  );
}

/** What the vectors are for; other providers than Google make one kind. */
function pickHints({ taskType, task_type: type = taskType, title }: Record<string, unknown>): {
  taskType?: string;
  title?: string;
} {
  return {
    ...(typeof type === 'string' ? { taskType: type } : {}),
    ...(typeof title === 'string' ? { title } : {}),
  };
}

function sameDimensions(requests: EmbedRequest[]): number | undefined {
  const [first, ...others] = new Set(requests.map(({ dimensions }) => dimensions));
  if (others.length > 0)
    throw new DragomanError(
      'bad-request',
      'requests: all requests of a batch must have the same outputDimensionality.',
    );
  return first;
}
