import { createConsoleClient } from '@dragoman/protocol/console';
import type * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { chatWords } from './chat-words.ts';

/** A model as the gateway lists it; an older one says less. */
interface ListedModel {
  id?: unknown;
  context_length?: unknown;
  max_output_tokens?: unknown;
  input_modalities?: unknown;
}

/** For servers that do not say: what most models take. */
const CONTEXT = 128_000;
const OUTPUT = 8_192;
const LIST_MS = 15_000;

/** Every name the gateway answers to, as the editor wants to know a model. */
export async function listModels(
  server: RunningServer,
  signal: AbortSignal,
): Promise<vscode.LanguageModelChatInformation[]> {
  const [models, targets] = await Promise.all([askForModels(server, signal), askForTargets(server, signal)]);
  return models.flatMap((model) => (typeof model.id === 'string' ? [describe(model.id, model, targets)] : []));
}

function describe(
  id: string,
  { context_length, max_output_tokens, input_modalities }: ListedModel,
  targets: ReadonlyMap<string, string>,
): vscode.LanguageModelChatInformation {
  const words = chatWords.now();
  const context = countOf(context_length) ?? CONTEXT;
  const output = Math.min(countOf(max_output_tokens) ?? OUTPUT, Math.ceil(context / 2));
  const target = targets.get(id);
  const isOffline = (target ?? id) === 'offline/offline';
  return {
    id,
    name: id,
    family: (target ?? id).split('/').at(-1) ?? id,
    version: '1',
    detail: isOffline ? words.offline : (target ?? words.ownServer),
    tooltip: target === undefined ? words.ownServer : words.servedBy(target),
    maxInputTokens: context - output,
    maxOutputTokens: output,
    capabilities: {
      toolCalling: true,
      imageInput: !Array.isArray(input_modalities) || input_modalities.includes('image'),
    },
  };
}

async function askForModels({ url, token }: RunningServer, signal: AbortSignal): Promise<ListedModel[]> {
  const answer = await fetch(`${url}/v1/models`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
  });
  const { data } = (answer.ok ? await answer.json() : {}) as { data?: unknown };
  return Array.isArray(data) ? (data as ListedModel[]) : [];
}

/** What serves each route. It is shown and nothing more, so a server that does not tell is no problem. */
async function askForTargets(server: RunningServer, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  try {
    const { routes } = await createConsoleClient({ ...server, times: { callMs: LIST_MS } }).readGateway({}, { signal });
    return new Map(routes.map(({ name, targets }) => [name, targets.join(', ')]));
  } catch {
    return new Map();
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
