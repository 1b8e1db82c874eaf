import { DragomanError, type ModelCall, type ModelSink } from '@dragoman/protocol';
import { FirstEventGate } from '../answer/first-event-gate.ts';
import type { CallWatch } from '../metering/call-watch.ts';
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import type { Route } from './resolve-route.ts';
import type { Target } from './target.ts';
import { tryTargets } from './try-targets.ts';

/** What is asked of a route, and who listens. */
export interface RouteQuestion {
  upstreams: UpstreamRegistry;
  route: Route;
  call: ModelCall;
  sink: ModelSink;
  signal: AbortSignal;
  /** Is told of the targets that did not take the call. */
  calls: CallWatch | undefined;
}

/** How it went. */
export interface AskedRoute {
  /** The last one that was tried. */
  target: Target | undefined;
  attempts: number;
  /** Why no target began to answer. What goes wrong later is in the answer. */
  error: DragomanError | undefined;
}

/** Streams the answer of a route: its targets are asked in order until one begins. */
export async function askRoute(question: RouteQuestion): Promise<AskedRoute> {
  const { route, signal, calls } = question;
  const asked: AskedRoute = { target: undefined, attempts: 0, error: undefined };
  asked.error = await tryTargets(route.targets, signal, async (target) => {
    asked.target = target;
    asked.attempts++;
    const error = await askTarget(question, target);
    if (error !== undefined) calls?.targetFailed(target, error);
    return error;
  });
  return asked;
}

async function askTarget(
  { upstreams, call, sink, signal }: RouteQuestion,
  target: Target,
): Promise<DragomanError | undefined> {
  const gate = new FirstEventGate(sink);
  try {
    await (await upstreams.open(call, target, true, signal)).run(gate);
    return gate.earlyError;
  } catch (thrown) {
    return thrown instanceof DragomanError
      ? thrown
      : new DragomanError('internal', 'The model could not be asked.', { cause: thrown });
  }
}
