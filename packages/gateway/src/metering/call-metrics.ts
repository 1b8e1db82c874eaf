import type { DragomanError, ModelUsage } from '@dragoman/protocol';
import type { RequestInfo } from '@dragoman/protocol/console';
import type { Metrics } from '@dragoman/server';
import { Counter, Gauge, Histogram } from 'prom-client';
import { OFFLINE_PROVIDER } from '../routing/resolve-route.ts';
import { type Target, targetName } from '../routing/target.ts';
import { BoundedLabels } from './bounded-labels.ts';
import type { CallObserver, CallWatch } from './call-watch.ts';
import type { UsageRecord } from './usage-record.ts';

/** So many targets and clients have series of their own. */
const MOST_TARGETS = 200;
const MOST_CLIENTS = 200;
const FIRST_TOKEN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const CALL_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const TOKEN_KINDS = ['input', 'cache_read', 'cache_write', 'output', 'reasoning'] as const;
type TokenKind = (typeof TOKEN_KINDS)[number];

/** The numbers of one pair of dialect and target, at hand, so that a call costs a few additions. */
interface Series {
  tokens: Record<TokenKind, Counter.Internal>;
  cost: Counter.Internal;
  unpriced: Counter.Internal;
  firstToken: Histogram.Internal<'dialect' | 'target'>;
  duration: Histogram.Internal<'dialect' | 'target'>;
}

/**
 * The model calls of a process for Prometheus, those of agents and for vectors and recordings too: by dialect and
 * target for whoever may read metrics, by user and token for admins. No name comes from what a client says alone, and
 * each label has so many values at most (`BoundedLabels`).
 */
export class CallMetrics implements CallObserver {
  readonly #targets = new BoundedLabels(MOST_TARGETS);
  readonly #clients = new BoundedLabels(MOST_CLIENTS);
  readonly #series = new Map<string, Series>();
  readonly #calls: Counter<'dialect' | 'target' | 'result'>;
  readonly #errors: Counter<'dialect' | 'target' | 'code'>;
  readonly #failures: Counter<'target' | 'code'>;
  readonly #tokens: Counter<'dialect' | 'target' | 'kind'>;
  readonly #cost: Counter<'dialect' | 'target'>;
  readonly #unpriced: Counter<'dialect' | 'target'>;
  readonly #firstToken: Histogram<'dialect' | 'target'>;
  readonly #duration: Histogram<'dialect' | 'target'>;
  readonly #clientCalls: Counter<'client' | 'dialect' | 'result'>;
  readonly #clientErrors: Counter<'client' | 'target' | 'code'>;
  readonly #clientTokens: Counter<'client' | 'kind'>;
  readonly #clientCost: Counter<'client'>;

  constructor({ registry, adminRegistry }: Pick<Metrics, 'registry' | 'adminRegistry'>, calls: CallWatch) {
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[], isForAdmins = false) =>
      new Counter({
        name: `dragoman_gateway_${name}`,
        help,
        labelNames,
        registers: [isForAdmins ? adminRegistry : registry],
      });
    const byTarget: ('dialect' | 'target')[] = ['dialect', 'target'];
    this.#calls = counter('calls_total', 'Model calls that ended: ok, error, cancelled or refused.', [
      ...byTarget,
      'result',
    ]);
    this.#errors = counter('errors_total', 'Model calls that failed, by the last target that was asked.', [
      ...byTarget,
      'code',
    ]);
    this.#failures = counter(
      'target_failures_total',
      'Targets that failed to answer a call, even if another target answered it.',
      ['target', 'code'],
    );
    const kinds = 'The kinds add up: input without what a cache read or wrote, output without reasoning.';
    this.#tokens = counter('tokens_total', `Tokens of model calls. ${kinds}`, [...byTarget, 'kind']);
    this.#cost = counter('cost_dollars_total', 'Cost of model calls, where it is known.', byTarget);
    this.#unpriced = counter('unpriced_calls_total', 'Calls with tokens whose cost is not known.', byTarget);
    this.#firstToken = new Histogram({
      name: 'dragoman_gateway_first_token_seconds',
      help: 'From the request to the first piece of a streamed answer.',
      labelNames: byTarget,
      buckets: FIRST_TOKEN_SECONDS,
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: 'dragoman_gateway_call_seconds',
      help: 'From the request to the end of the answer.',
      labelNames: byTarget,
      buckets: CALL_SECONDS,
      registers: [registry],
    });
    new Gauge({
      name: 'dragoman_gateway_calls_in_flight',
      help: 'Model calls that are being answered.',
      registers: [registry],
      collect() {
        this.set(calls.inFlight);
      },
    });
    const client = 'by user/token';
    this.#clientCalls = counter(
      'client_calls_total',
      `Model calls that ended, ${client}.`,
      ['client', 'dialect', 'result'],
      true,
    );
    this.#clientErrors = counter(
      'client_errors_total',
      `Model calls that failed, ${client}.`,
      ['client', 'target', 'code'],
      true,
    );
    this.#clientTokens = counter('client_tokens_total', `Tokens of model calls, ${client}.`, ['client', 'kind'], true);
    this.#clientCost = counter('client_cost_dollars_total', `Cost of model calls, ${client}.`, ['client'], true);
    calls.observe(this);
  }

  ended(record: UsageRecord): void {
    const { dialect, usage, cost, errorCode } = record;
    const result = resultOf(record);
    const target = this.#targets.labelOfTarget(record.target, result === 'ok');
    const client = this.#clientOf(record);
    this.#calls.inc({ dialect, target, result });
    this.#clientCalls.inc({ client, dialect, result });
    if (result === 'error' && errorCode !== undefined) {
      this.#errors.inc({ dialect, target, code: errorCode });
      this.#clientErrors.inc({ client, target, code: errorCode });
    }
    if (result === 'refused') return;
    const series = this.#seriesOf(dialect, target);
    series.duration.observe(record.totalMs / 1000);
    if (record.isStreamed && record.firstEventMs !== undefined) series.firstToken.observe(record.firstEventMs / 1000);
    if (usage === undefined) return;
    for (const [kind, tokens] of kindsOf(usage)) {
      if (tokens <= 0) continue;
      series.tokens[kind].inc(tokens);
      this.#clientTokens.inc({ client, kind }, tokens);
    }
    if (cost === undefined) {
      if (!record.target.startsWith(`${OFFLINE_PROVIDER}/`)) series.unpriced.inc();
    } else if (cost.dollars > 0) {
      series.cost.inc(cost.dollars);
      this.#clientCost.inc({ client }, cost.dollars);
    }
  }

  refused({ dialect, userName, tokenName, errorCode = 'internal' }: RequestInfo): void {
    const client = this.#clientOf({ userName, tokenName });
    this.#calls.inc({ dialect, target: 'none', result: 'refused' });
    this.#clientCalls.inc({ client, dialect, result: 'refused' });
    this.#clientErrors.inc({ client, target: 'none', code: errorCode });
  }

  targetFailed(target: Target, { code }: DragomanError): void {
    this.#failures.inc({ target: this.#targets.labelOfTarget(targetName(target), false), code });
  }

  #clientOf({ userName, tokenName }: Pick<UsageRecord, 'userName' | 'tokenName'>): string {
    return this.#clients.labelOf(`${userName}/${tokenName}`);
  }

  #seriesOf(dialect: string, target: string): Series {
    const key = `${dialect} ${target}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = { dialect, target };
      const tokens = TOKEN_KINDS.map((kind) => [kind, this.#tokens.labels({ ...labels, kind })]);
      series = {
        tokens: Object.fromEntries(tokens) as Series['tokens'],
        cost: this.#cost.labels(labels),
        unpriced: this.#unpriced.labels(labels),
        firstToken: this.#firstToken.labels(labels),
        duration: this.#duration.labels(labels),
      };
      this.#series.set(key, series);
    }
    return series;
  }
}

function resultOf({ isRefused, finishReason, errorCode }: UsageRecord): 'ok' | 'error' | 'cancelled' | 'refused' {
  if (isRefused) return 'refused';
  if (finishReason === 'cancelled') return 'cancelled';
  return errorCode === undefined ? 'ok' : 'error';
}

function kindsOf(usage: ModelUsage): [TokenKind, number][] {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return [
    ['input', inputTokens - cacheReadTokens - cacheWriteTokens],
    ['cache_read', cacheReadTokens],
    ['cache_write', cacheWriteTokens],
    ['output', outputTokens - reasoningTokens],
    ['reasoning', reasoningTokens],
  ];
}
