import { DragomanError } from '@dragoman/protocol';
import type { ConfigOverride } from '@dragoman/server/base';

export interface OneOffOptions {
  baseUrl?: string;
  apiKey?: string;
  model?: string;
  context?: string;
}

const NAME = 'given';
const LIST_MS = 10_000;

/**
 * A provider for one run, from options alone: any service that speaks OpenAI's Chat Completions. Without a model its first
 * one is used.
 */
export async function oneOffProvider(
  options: OneOffOptions,
): Promise<{ overrides: ConfigOverride[]; model: string | undefined }> {
  const { baseUrl, apiKey } = options;
  const context = readContext(options.context);
  if (baseUrl === undefined) {
    if (apiKey !== undefined || context !== undefined)
      throw new DragomanError(
        'bad-request',
        '--api-key and --context belong to --base-url; keys of providers are set up in dragoman.json.',
      );
    return { overrides: [], model: options.model };
  }
  if (!/^https?:\/\//.test(baseUrl) || URL.parse(baseUrl) === null)
    throw new DragomanError(
      'bad-request',
      `--base-url ${baseUrl}: expected an address such as http://127.0.0.1:8000/v1.`,
    );
  const model = options.model ?? (await firstModel(baseUrl, apiKey));
  const value = {
    type: 'openai-chat',
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    models: ['*'],
    ...(context === undefined ? {} : { limits: { '*': { context } } }),
  };
  return {
    overrides: [{ path: ['providers', NAME], value, source: '--base-url' }],
    model: `${NAME}/${model}`,
  };
}

function readContext(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const tokens = Number(given);
  if (Number.isInteger(tokens) && tokens >= 1_000) return tokens;
  throw new DragomanError('bad-request', `--context ${given}: expected a whole number of tokens, 1000 or more.`);
}

async function firstModel(baseUrl: string, apiKey: string | undefined): Promise<string> {
  try {
    const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LIST_MS),
    });
    const { data } = (await answer.json()) as { data?: { id?: unknown }[] };
    const id = data?.[0]?.id;
    if (typeof id === 'string') return id;
    throw new Error(`it answered ${answer.status} without a list of models`);
  } catch (error) {
    throw new DragomanError(
      'bad-request',
      `${baseUrl} does not tell its models (${(error as Error).message}). Name one with --model.`,
      { cause: error },
    );
  }
}
