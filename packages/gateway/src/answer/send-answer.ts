import { type DragomanError, gatherAnswer, type ModelSink } from '@dragoman/protocol';
import { addFailure, callFailure } from '../metering/call-failure.ts';
import { meterAnswer } from '../metering/meter-answer.ts';
import { askTargets } from '../routing/ask-targets.ts';
import { hideInError } from '../upstreams/provider-secrets.ts';
import { type Answering, conversationOf } from './answering.ts';
import { beginStream } from './begin-stream.ts';
import { StreamWriter } from './stream-writer.ts';
import { type Outlet, tryTarget } from './try-target.ts';

/** Finds an answer and sends it in pieces, as they come. */
export async function streamAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, client, reply } = answering;
  const writer = new StreamWriter(reply.raw);
  let sink: ModelSink | undefined;
  const error = await findAnswer(answering, {
    open: (decoded) => (sink ??= lead(answering, dialect.encodeStream(writer.write, decoded))),
    begin: () => beginStream(reply, dialect.streamHeaders),
    flow: writer,
  });
  if (reply.raw.writableEnded) return; // It was relayed.
  if (error !== undefined) {
    if (!reply.raw.headersSent) throw error;
    if (sink === undefined) writer.write(dialect.encodeBreak!(error, client));
    else sink.push({ type: 'error', error });
  }
  writer.end();
}

/** Finds an answer and sends it in one piece. */
export async function sendAnswer<Context>(answering: Answering<Context>): Promise<void> {
  const { dialect, reply, signal } = answering;
  const gathered = gatherAnswer();
  const sink = lead(answering, gathered);
  const error = await findAnswer(answering, { open: () => sink, begin: () => {}, flow: undefined });
  if (error !== undefined) throw error;
  if (reply.sent || signal.aborted) return; // It was relayed, or nobody waits for it.
  if (gathered.answer.error !== undefined) throw gathered.answer.error;
  await reply.send(dialect.encodeResponse(gathered.answer, answering.decoded!));
}

/** The steps of an answer, from the last to the first. */
function lead<Context>(answering: Answering<Context>, encode: ModelSink): ModelSink {
  const stepped = answering.options.step?.(encode, () => answering.repairs++) ?? encode;
  return meterAnswer(stepped, answering.measure);
}

/** Asks the targets of the route. Resolves with the last error when none of them began to answer. */
function findAnswer<Context>(
  answering: Answering<Context>,
  outlet: Outlet<Context>,
): Promise<DragomanError | undefined> {
  const { gateway, client, route, signal } = answering;
  return askTargets({
    route,
    watch: gateway.targets,
    isStreamed: client.isStreamed,
    conversation: () => conversationOf(answering),
    signal,
    attempt: async (target, begun) => {
      answering.attempts++;
      answering.target = target;
      if (answering.measure.said !== undefined) answering.measure.said = gatherAnswer();
      const askedAt = performance.now();
      const error = await tryTarget(answering, target, outlet, begun);
      if (error === undefined) return undefined;
      gateway.calls.targetFailed(target, hideInError(error, target.provider));
      addFailure(answering.failures, callFailure(target, error, performance.now() - askedAt));
      return error;
    },
  });
}
