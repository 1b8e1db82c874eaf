import type { DragomanError } from '@dragoman/protocol';
import { activeSpan, inSpan, isTracing } from '@dragoman/server/base';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { type Target, targetName } from '../routing/target.ts';
import type { UsageRecord } from './usage-record.ts';

/** What a call is called in OpenTelemetry's conventions, by its dialect; all others are `chat`. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'openai-completions': 'text_completion',
  embeddings: 'embeddings',
  transcription: 'transcription',
};

/** Makes a model call with all its targets one span. It must note itself with `noteCall` before it is over. */
export function traceModelCall<Result>(
  dialect: string,
  asked: string,
  isStreamed: boolean,
  call: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return call();
  const operation = OPERATIONS[dialect] ?? 'chat';
  const model = asked === '' ? 'default' : asked;
  const attributes = () => ({
    'gen_ai.operation.name': operation,
    'gen_ai.request.model': model,
    'gen_ai.request.stream': isStreamed,
    'dragoman.dialect': dialect,
  });
  return inSpan(`${operation} ${model}`, 'client', attributes, call);
}

/** Makes the question to one target a span of its own, inside of its call's. */
export function traceTarget(
  target: Target,
  attempt: () => Promise<DragomanError | undefined>,
): Promise<DragomanError | undefined> {
  const attributes = () => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(target),
    'gen_ai.request.model': target.model,
    ...addressOf(target.provider),
  });
  return inSpan(`target ${targetName(target)}`, 'client', attributes, async (span) => {
    const error = await attempt();
    if (error !== undefined) span?.fail(error.code);
    return error;
  });
}

/** What the active span says of a call that has ended: who, where and how much; never what was said. */
export function describeModelCall(record: UsageRecord, target: Target | undefined): void {
  const { usage, cost, firstEventMs, errorCode, finishReason } = record;
  const span = activeSpan();
  span?.set({
    'gen_ai.provider.name': target === undefined ? undefined : providerName(target),
    'gen_ai.response.model': target?.model,
    'gen_ai.response.finish_reasons': [finishReason],
    'gen_ai.response.time_to_first_chunk':
      record.isStreamed && firstEventMs !== undefined ? firstEventMs / 1000 : undefined,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
    'dragoman.call.id': record.id,
    'dragoman.cost.dollars': cost?.dollars,
    'dragoman.attempts': record.attempts,
    'dragoman.user': record.userName,
    'dragoman.token': record.tokenName,
  });
  if (errorCode !== undefined && finishReason !== 'cancelled') span?.fail(errorCode);
}

/** The names of OpenTelemetry where it has one for the service; else the one that the configuration gives it. */
function providerName({ provider, providerName: ownName }: Target): string {
  const host = provider.baseUrl === undefined ? '' : new URL(provider.baseUrl).hostname;
  if (provider.type === 'anthropic-messages' && (host === '' || host === 'api.anthropic.com')) return 'anthropic';
  if (provider.type === 'gemini' && (host === '' || host.endsWith('googleapis.com'))) return 'gcp.gemini';
  const isOpenAi = provider.type === 'openai-chat' || provider.type === 'openai-responses';
  if (isOpenAi && (host === '' || host === 'api.openai.com')) return 'openai';
  return ownName;
}

function addressOf({ baseUrl }: ProviderConfig): Record<string, string | number> {
  if (baseUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
}
