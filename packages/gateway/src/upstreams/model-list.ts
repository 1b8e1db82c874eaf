import { DragomanError } from '@dragoman/protocol';
import type { UpstreamKind } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';
import { type HttpCaller, readText } from './http-caller.ts';
import { toBrokenAnswer } from './upstream-error.ts';
import { httpUpstream } from './upstream-registry.ts';
import { parseAnswer } from './parse-answer.ts';

/** How a protocol is asked for its models, as pure functions. */
export interface ModelList {
  /** Where the next page is, behind the provider's base address. */
  path(page: string | undefined): string;
  headers?: Record<string, string>;
  /** The names on a page, and which page is next. Nothing where the answer is not a list of models. */
  read(body: unknown): { models: string[]; next?: string | undefined } | undefined;
}

/** The protocols that have such a question, loaded when one is asked. */
const MODEL_LISTS: Partial<Record<UpstreamKind, () => Promise<ModelList>>> = {
  'openai-chat': async () => (await import('./openai-chat/list-models.ts')).openAiChatModels,
  'openai-responses': async () => (await import('./openai-responses/list-models.ts')).openAiResponsesModels,
  'anthropic-messages': async () => (await import('./anthropic-messages/list-models.ts')).anthropicMessagesModels,
  gemini: async () => (await import('./gemini/list-models.ts')).geminiModels,
  ollama: async () => (await import('./ollama/list-models.ts')).ollamaModels,
};

/** The largest services have some hundreds; a provider that always has one more page is not asked for ever. */
const MAX_PAGES = 20;
const MAX_MODELS = 5_000;

/** The models a provider says it has, in its order; nothing where its protocol has no such question. */
export async function listModels(http: HttpCaller, target: Target, signal: AbortSignal): Promise<string[] | undefined> {
  const load = MODEL_LISTS[target.provider.type];
  if (load === undefined) return undefined;
  const [list, upstream] = await Promise.all([load(), httpUpstream(target.provider.type)]);
  const models = new Set<string>();
  let page: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && models.size < MAX_MODELS; pages++) {
    const sent = { path: list.path(page), headers: list.headers ?? {}, body: null };
    const answer = await http.send(upstream, target, sent, signal);
    const text = await readText(answer).catch((error: unknown) => {
      throw toBrokenAnswer(target.providerName, error);
    });
    const read = list.read(parseAnswer(text));
    if (read === undefined)
      throw new DragomanError('unavailable', `The provider "${target.providerName}" did not return a list of models.`);
    for (const model of read.models) models.add(model);
    if (read.next === undefined || read.next === page) break;
    page = read.next;
  }
  return [...models].slice(0, MAX_MODELS);
}

/** The texts under a key in a list of objects; whatever else stands there is left out. */
export function namesIn(list: unknown, key: string): string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item: unknown) => (item as Record<string, unknown> | null)?.[key])
    .filter((name) => typeof name === 'string' && name !== '') as string[];
}
