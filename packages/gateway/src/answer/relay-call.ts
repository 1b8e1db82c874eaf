import type { IncomingHttpHeaders } from 'node:http';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientRequest, Dialect, Reframing } from '../dialects/dialect.ts';
import type { AnswerMeasure } from '../metering/meter-answer.ts';
import type { Target } from '../routing/target.ts';
import { type HttpCaller, readText, refuseContent } from '../upstreams/http-caller.ts';
import type { HttpAnswer } from '../upstreams/http-exchange.ts';
import type { HttpUpstream } from '../upstreams/upstream.ts';
import { parseAnswer } from '../upstreams/parse-answer.ts';
import { hideProviderSecrets, providerSecrets, REDACTED, SHORTEST_HALF } from '../upstreams/provider-secrets.ts';
import { brokenOff, toBrokenAnswer, toConnectionError } from '../upstreams/upstream-error.ts';
import { beginStream } from './begin-stream.ts';
import { hideUsageEvent } from './hide-usage-event.ts';
import { readAside } from './read-aside.ts';
import { StreamWriter } from './stream-writer.ts';
import { UsageSniffer } from './usage-sniffer.ts';
import { ValueFilter } from './value-filter.ts';
import { WholeEvents } from './whole-events.ts';

/** Dialects that are also upstreams: an answer in the client's own protocol needs no conversion. */
export type RelayedDialect =
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'ollama';

/** Headers by which clients choose features of a provider. */
const PASSED_HEADERS = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const;

/** What the target is asked with: the client's own bytes, nearly. */
export interface Relay {
  caller: HttpCaller;
  upstream: HttpUpstream;
  dialect: Dialect;
  client: ClientRequest;
  target: Target;
  path: string;
  body: string;
  /** Whether the usage event is for us alone. */
  hidesUsage: boolean;
  request: FastifyRequest;
  reply: FastifyReply;
  signal: AbortSignal;
  measure: AnswerMeasure;
  /** Is told when the first bytes of a streamed answer have come. */
  begun: () => void;
}

/**
 * Passes a request on in its own protocol and the answer's bytes back as they come; usage is read from the side.
 *
 * Gives back the error of an answer that broke before its first byte, so that another target can be tried.
 */
export async function relayCall(relay: Relay): Promise<DragomanError | undefined> {
  const { caller, upstream, dialect, target, path, body, client, request, reply, signal, measure } = relay;
  const { isStreamed } = client;
  const answer = await caller.send(upstream, target, { path, headers: passedHeaders(request.headers), body }, signal);
  const type = answer.headers['content-type'] ?? '';
  if (!type.startsWith(isStreamed ? streamType(dialect) : 'application/json')) return refuseContent(answer, target);
  if (isStreamed) return relayStream(answer, relay);
  const whole = await readText(answer).catch((error: unknown) => toConnectionError(target.providerName, error));
  if (typeof whole !== 'string') return whole;
  const text = hideProviderSecrets(whole, target.provider);
  const failure = readWhole(text, upstream, measure);
  if (failure !== undefined) return failure;
  measure.onEnd?.();
  if (!signal.aborted) await reply.type(answer.headers['content-type'] ?? 'application/json').send(text);
  return undefined;
}

function relayStream(
  answer: HttpAnswer,
  { upstream, dialect, client, target, reply, measure, hidesUsage, begun }: Relay,
): Promise<DragomanError | undefined> {
  const { raw } = reply;
  const writer = new StreamWriter(raw);
  const { eventGap = '\n\n' } = dialect;
  const sniffer = new UsageSniffer(upstream, eventGap);
  const reader = measure.said && readAside(upstream, measure.said);
  const events = new WholeEvents(eventGap);
  const filter = new ValueFilter(providerSecrets(target.provider), REDACTED);
  const framing = dialect.reframe?.();
  beginStream(reply, {
    ...dialect.streamHeaders,
    ...(framing === undefined ? { 'content-type': answer.headers['content-type'] ?? streamType(dialect) } : {}),
  });
  return new Promise((resolve) => {
    let isEmpty = true;
    const breakOff = (error: DragomanError) => {
      if (measure.firstEventAt === undefined) return resolve(error);
      measure.finishReason = 'error';
      measure.errorCode = error.code;
      measure.brokeOff = error;
      // An event that was too long to be held may have ended anywhere.
      writer.write(framing === undefined ? eventGap + dialect.encodeBreak!(error, client) : framing.break(error));
      measure.onEnd?.();
      writer.end();
      resolve(undefined);
    };
    const finish = () => {
      if (isEmpty) return resolve(brokenOff());
      const { isCut, ...sniffed } = sniffer.read();
      Object.assign(measure, sniffed);
      if (isCut) return breakOff(brokenOff());
      // An error that stands where the answer should is no beginning of one.
      if (measure.errorCode !== undefined && sniffer.countCharacters() === 0) measure.firstEventAt = undefined;
      const held = filter.end();
      const last = Buffer.concat([events.end(), held.length < SHORTEST_HALF ? held : Buffer.from(REDACTED)]);
      measure.onEnd?.();
      raw.end(framing === undefined ? last : framing.take(last) + framing.end());
      resolve(undefined);
    };
    answer.read({
      data(bytes) {
        isEmpty = false;
        sniffer.take(bytes);
        reader?.feed(bytes);
        const whole = events.take(filter.take(bytes));
        const shown =
          framing === undefined ? (hidesUsage ? hideUsageEvent(whole) : whole) : reframed(whole, framing, answer);
        if (raw.destroyed || shown.length === 0) return;
        if (measure.firstEventAt === undefined) {
          measure.firstEventAt = performance.now();
          measure.countCharacters = () => sniffer.countCharacters();
          begun();
        }
        if (!writer.writeBytes(shown)) return;
        answer.pause();
        void writer.untilReady().then(() => answer.resume());
      },
      end: finish,
      error: (error) => breakOff(toBrokenAnswer(target.providerName, error)),
    });
  });
}

/** An event that is too large to be read ends the answer. */
function reframed(bytes: Buffer, framing: Reframing, answer: HttpAnswer): Buffer {
  try {
    return Buffer.from(framing.take(bytes));
  } catch {
    answer.abort();
    return Buffer.alloc(0);
  }
}

/** What a provider of the protocol calls its streams. */
function streamType({ streamHeaders, reframe }: Dialect): string {
  return reframe === undefined ? streamHeaders['content-type']!.split(';', 1)[0]! : 'text/event-stream';
}

/** Notes what the answer says of its usage; gives back its error where it is one, whatever its status said. */
function readWhole(text: string, upstream: HttpUpstream, measure: AnswerMeasure): DragomanError | undefined {
  let failure: DragomanError | undefined;
  try {
    const body = parseAnswer(text);
    if (body === undefined) return brokenOff();
    upstream.decodeResponse(body, {
      push(event) {
        measure.said?.push(event);
        if ('delta' in event) measure.characters += event.delta.length;
        if (event.type === 'response-metadata') measure.answerId ??= event.id;
        if (event.type === 'error') failure = event.error;
        if (event.type !== 'finish') return;
        measure.usage = event.usage;
        measure.finishReason = event.finishReason;
      },
    });
  } catch (error) {
    failure = error instanceof DragomanError ? error : brokenOff();
  }
  return failure;
}

/** What of a client's headers chooses features of a provider. */
export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}
