import { DragomanError } from '@dragoman/protocol';
import { type ConfigOverride, loadConfig } from '@dragoman/server/base';
import { type CommonOptions, findPlaces } from './load-setup.ts';

export interface OneOffOptions extends CommonOptions {
  baseUrl?: string;
  apiKey?: string;
  model?: string;
  context?: string;
}

/** A provider that is there for one run. */
export interface OneOffProvider {
  overrides: ConfigOverride[];
  /** What to ask for; without it, what the configuration says. */
  model: string | undefined;
}

/** What the provider is called, and so the models that sessions remember. */
export const ONE_OFF_NAME = 'given';
const LIST_MS = 10_000;

/**
 * A provider for one run, from options alone: any service that speaks OpenAI's Chat Completions. Without a model its first
 * one is used.
 */
export async function oneOffProvider(options: OneOffOptions): Promise<OneOffProvider> {
  const { baseUrl, apiKey } = options;
  const context = readContext(options.context);
  if (baseUrl === undefined) {
    if (apiKey !== undefined || context !== undefined)
      throw new DragomanError(
        'bad-request',
        '--api-key and --context need --base-url. To configure a provider, edit dragoman.json.',
      );
    return { overrides: [], model: options.model };
  }
  checkAddress(baseUrl);
  const value = {
    type: 'openai-chat',
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    models: ['*'],
    ...(context === undefined ? {} : { limits: { '*': { context } } }),
  };
  const overrides = [{ path: ['providers', ONE_OFF_NAME], value, source: '--base-url' }];
  const model = options.model ?? (await firstModel(baseUrl, givenKey(options, overrides)));
  return { overrides, model: `${ONE_OFF_NAME}/${model}` };
}

function checkAddress(baseUrl: string): void {
  const url = URL.parse(baseUrl);
  // What stands in an address is shown wherever the address is.
  if (url !== null && url.username + url.password !== '')
    throw new DragomanError('bad-request', '--base-url: pass the key with --api-key, not in the URL.');
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new DragomanError(
      'bad-request',
      `--base-url ${baseUrl}: expected an address such as http://127.0.0.1:8000/v1.`,
    );
}

function readContext(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const tokens = Number(given);
  if (Number.isInteger(tokens) && tokens >= 1_000) return tokens;
  throw new DragomanError('bad-request', `--context ${given}: expected a whole number of tokens, 1000 or more.`);
}

/** The key itself, where it was given as "{env:NAME}" or "{secret:name}". */
function givenKey(options: OneOffOptions, overrides: readonly ConfigOverride[]): string | undefined {
  if (options.apiKey === undefined) return undefined;
  const { apiKey } = loadConfig(findPlaces(options, overrides).source).value.providers[ONE_OFF_NAME]!;
  return (Array.isArray(apiKey) ? apiKey[0] : apiKey)?.reveal();
}

async function firstModel(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const { status, text } = await ask(`${baseUrl.replace(/\/+$/, '')}/models`, apiKey).catch((cause: unknown) => {
    const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
    throw new DragomanError('unavailable', `Cannot reach ${baseUrl}: ${code ?? message}`, { cause });
  });
  if (status === 401 || status === 403)
    throw new DragomanError(
      'unauthenticated',
      apiKey === undefined
        ? `${baseUrl} requires a key (${status}). Pass it with --api-key.`
        : `${baseUrl} rejected the API key (${status}).`,
    );
  const id = firstId(text);
  if (id !== undefined) return id;
  throw new DragomanError('bad-request', `${baseUrl} does not list its models (${status}). Name one with --model.`);
}

async function ask(url: string, apiKey: string | undefined): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(LIST_MS),
  });
  return { status: answer.status, text: await answer.text() };
}

function firstId(text: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as { data?: { id?: unknown }[] };
    const id = data?.[0]?.id;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}
