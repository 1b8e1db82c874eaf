import type { DragomanError } from '@dragoman/protocol';
import type { Dialect } from '../dialects/dialect.ts';
import type { Gateway } from '../gateway.ts';
import type { Target } from '../routing/target.ts';
import type { JsonObject } from '../tools/json-object.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { httpUpstream, refuseUnwantedFiles } from '../upstreams/upstream-registry.ts';
import { type Answering, conversationOf } from './answering.ts';
import { bodyHasFile } from './body-has-file.ts';
import { relayBody, RELAYED_FIELDS, wantsHiddenUsage } from './relay-body.ts';
import { relayCall, type RelayedDialect } from './relay-call.ts';

/** Providers cache prompts from 1,024 tokens on, and a token is a byte at least: what is shorter is passed on as it is. */
const SMALLEST_CACHED_BYTES = 1024;

/** Whether client and provider speak the same protocol, so that calls and answers are passed on as they come. */
export function isRelayed<Context>(gateway: Gateway, dialect: Dialect<Context>, target: Target): boolean {
  return (dialect.relayed?.type ?? dialect.name) === target.provider.type && gateway.upstreams.mayRelay;
}

/** Asks a target in the client's own words, and passes its answer on. Resolves as `TargetSearch.attempt` does. */
export async function relayToTarget<Context>(
  answering: Answering<Context>,
  target: Target,
  begun: () => void,
): Promise<DragomanError | undefined> {
  const { gateway, dialect, client, request, reply, route, signal, measure, options } = answering;
  const name = dialect.name as RelayedDialect;
  const asked = request.body as JsonObject;
  refuseUnwantedFiles(
    target,
    () =>
      RELAYED_FIELDS[name].said.some((field) => bodyHasFile(asked[field])) || bodyHasFile({ images: asked['images'] }),
  );
  const upstream = await httpUpstream(target.provider.type);
  const marking = {
    markPrompt: request.bodyBytes < SMALLEST_CACHED_BYTES ? undefined : upstream.markPrompt,
    conversation: () => conversationOf(answering),
  };
  const body = await relayBody(name, asked, target, route, marking, signal);
  answering.redactions = body.redactions;
  const error = await relayCall({
    caller: gateway.upstreams.http,
    upstream,
    dialect,
    client,
    ...(dialect.relayed === undefined
      ? { target, path: client.relayPath ?? upstream.relayPath!(target, client.isStreamed) }
      : besideChat(target, dialect.relayed.path)),
    body: body.text,
    hidesUsage: wantsHiddenUsage(name, asked),
    request,
    reply,
    signal,
    measure,
    begun,
  });
  if (measure.answerId !== undefined) options.onRelayed?.(target, measure.answerId);
  return error;
}
