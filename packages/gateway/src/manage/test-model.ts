import { DragomanError, gatherAnswer, type ModelCall } from '@dragoman/protocol';
import type { ProviderDraft } from '@dragoman/protocol/console';
import type { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import type { Caller } from '@dragoman/server';
import type { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { meterAnswer, newMeasure } from '../metering/meter-answer.ts';
import { noteCall } from '../metering/note-call.ts';
import { optional } from '../optional.ts';
import { refuseForbidden, resolveAllowed } from '../policy/allowed-models.ts';
import { askRoute } from '../routing/ask-route.ts';
import { prepareCall } from '../routing/prepare-call.ts';
import { type Route, routeTo } from '../routing/resolve-route.ts';
import { type Target, targetName } from '../routing/target.ts';
import { withoutProviderSecrets } from '../upstreams/provider-secrets.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { chooseTarget } from './choose-target.ts';
import { explainProblem } from './explain-problem.ts';

/** A person waits for it, and it is a few words. */
const TEST_MS = 60_000;
const MAX_TEXT = 300;

const CALL: ModelCall = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Reply with the word: ready' }] }],
  tools: [],
  maxOutputTokens: 16, // The least that OpenAI takes.
};

/** What is tested, by whom, and who waits for it. */
export interface ModelTest {
  /** A name clients may ask for; with a provider, a model of it. */
  model: string;
  provider?: string | ProviderDraft | undefined;
  caller: Caller;
  /** Aborted when nobody waits for the answer. */
  left: AbortSignal;
  limitMs?: number;
}

/** What of the gateway a test needs. */
type TestedGateway = Pick<Gateway, 'config' | 'upstreams' | 'usageLog' | 'calls' | 'targets' | 'budgets'>;

/** How a test went. */
export type ModelTestAnswer = z.output<(typeof GATEWAY_CALLS)['testModel']['answer']>;

/**
 * Makes one small real call on the way that every call takes, and tells how it went. What fails is part of the answer,
 * with what to do about it. It is a call like any other in the usage log and for budgets, but no limit on how often one
 * may ask holds it back: it is made to find out what is wrong.
 */
export async function testModel(gateway: TestedGateway, test: ModelTest): Promise<ModelTestAnswer> {
  const startedAt = performance.now();
  const isDraft = typeof test.provider === 'object';
  // Connections and keys of a draft are gone with it.
  const upstreams = isDraft ? new UpstreamRegistry() : gateway.upstreams;
  try {
    return await makeCall(gateway, upstreams, routeOf(test, gateway), test, startedAt);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return {
      isWell: false,
      text: '',
      target: '',
      totalMs: since(startedAt),
      problem: explainProblem(error, undefined),
    };
  } finally {
    if (isDraft) await upstreams.close();
  }
}

function routeOf({ model, provider, caller }: ModelTest, gateway: TestedGateway): Route {
  const config = gateway.config();
  if (provider === undefined) return resolveAllowed(model, config, caller);
  const target = chooseTarget(provider, model, config);
  return refuseForbidden(routeTo(target, targetName(target), false), config, caller);
}

async function makeCall(
  gateway: TestedGateway,
  upstreams: UpstreamRegistry,
  tested: Route,
  { caller, left, limitMs = TEST_MS }: ModelTest,
  startedAt: number,
): Promise<ModelTestAnswer> {
  const reservation = await gateway.budgets.reserve({ owner: caller, route: tested });
  const route = reservation?.route ?? tested;
  const tooLong = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([left, tooLong]);
  const { call } = await prepareCall(CALL, route, () => undefined);
  const measure = newMeasure();
  const gathered = gatherAnswer();
  const sink = meterAnswer(gathered, measure);
  const asked = await askRoute({
    upstreams,
    route,
    watch: gateway.targets,
    asksEachOnce: true,
    owner: caller,
    call,
    sink,
    signal,
    calls: gateway.calls,
  });
  const { target, attempts, failures } = asked;
  const failed = asked.error ?? gathered.answer.error;
  const error = failed !== undefined && tooLong.aborted && !left.aborted ? tookTooLong(target, limitMs) : failed;
  const { usage } = measure;
  const firstMs = measure.firstEventAt === undefined ? undefined : Math.round(measure.firstEventAt - startedAt);
  noteCall(gateway, {
    caller,
    dialect: 'console',
    route: route.name,
    target,
    attempts,
    failures,
    isStreamed: true,
    startedAt,
    measure,
    prompt: () => call.prompt,
    error,
    isCancelled: left.aborted,
    redactions: 0,
    repairs: 0,
    reservation,
  });
  if (error?.code === 'internal') throw new Error(error.message, { cause: error }); // Our own fault, for the log.
  return {
    isWell: error === undefined,
    text: textOf(gathered.answer.content, target),
    target: target === undefined ? '' : targetName(target),
    ...optional('firstMs', firstMs),
    totalMs: since(startedAt),
    ...optional('inputTokens', usage?.inputTokens),
    ...optional('outputTokens', usage?.outputTokens),
    ...optional('problem', error === undefined ? undefined : explainProblem(error, target)),
  };
}

function tookTooLong(target: Target | undefined, limitMs: number): DragomanError {
  return new DragomanError(
    'timed-out',
    `The provider "${target?.providerName}" did not finish its answer within ${limitMs} ms.`,
  );
}

function textOf(content: ReturnType<typeof gatherAnswer>['answer']['content'], target: Target | undefined): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return (target === undefined ? text : withoutProviderSecrets(text, target.provider)).slice(0, MAX_TEXT);
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
