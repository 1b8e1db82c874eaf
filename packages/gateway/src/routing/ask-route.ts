import { DragomanError, type ModelCall, type ModelSink } from '@dragoman/protocol';
import type { CallFailure } from '@dragoman/protocol/console';
import { FirstEventGate } from '../answer/first-event-gate.ts';
import type { CallBook } from '../metering/call-book.ts';
import { addFailure, callFailure } from '../metering/call-failure.ts';
import type { CallOwner } from '../metering/note-call.ts';
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { askTargets } from './ask-targets.ts';
import { promptKey } from './conversation-key.ts';
import type { Target } from './target.ts';
import type { QueuedCall } from './target-queue.ts';

/** What is asked of a route, and who listens. */
export interface RouteQuestion extends QueuedCall {
  upstreams: UpstreamRegistry;
  call: ModelCall;
  sink: ModelSink;
  signal: AbortSignal;
  /** Who asks. */
  owner: CallOwner;
  /** Is told of the targets that did not take the call. */
  calls: CallBook['calls'] | undefined;
}

/** How it went. */
export interface AskedRoute {
  /** The last one that was tried. */
  target: Target | undefined;
  attempts: number;
  /** Why targets did not begin to answer. */
  failures: CallFailure[];
  /** Why no target began to answer. What goes wrong later is in the answer. */
  error: DragomanError | undefined;
}

/** Streams the answer of a route: its targets are asked one after the other until one begins. */
export async function askRoute(question: RouteQuestion): Promise<AskedRoute> {
  const { owner, call, calls } = question;
  const asked: AskedRoute = { target: undefined, attempts: 0, failures: [], error: undefined };
  asked.error = await askTargets({
    ...question,
    isStreamed: true,
    conversation: () => promptKey(owner, call.prompt),
    attempt: async (target, begun) => {
      asked.target = target;
      asked.attempts++;
      const askedAt = performance.now();
      const error = await askTarget(question, target, begun);
      if (error === undefined) return undefined;
      calls?.targetFailed(target, error);
      addFailure(asked.failures, callFailure(target, error, performance.now() - askedAt));
      return error;
    },
  });
  return asked;
}

async function askTarget(
  { upstreams, call, sink, signal }: RouteQuestion,
  target: Target,
  begun: () => void,
): Promise<DragomanError | undefined> {
  const gate = new FirstEventGate(sink, begun);
  try {
    await (await upstreams.open(call, target, true, signal)).run(gate);
    return gate.earlyError;
  } catch (thrown) {
    return thrown instanceof DragomanError
      ? thrown
      : new DragomanError('internal', 'The request to the model failed.', { cause: thrown });
  }
}
