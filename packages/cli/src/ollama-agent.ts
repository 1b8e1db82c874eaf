import type { AgentModel } from '@dragoman/agent';
import { gatewayConfigShape } from '@dragoman/gateway/setup';
import { DragomanError, type Fault } from '@dragoman/protocol';
import { type AgentRegistry, CHAT_CAPABILITIES } from '@dragoman/runner';
import type { AgentCalls } from './agent-calls.ts';
import { agentModels } from './agent-models.ts';
import type { DragomanConfig } from './rooms.ts';

const DEFAULT_URL = 'http://127.0.0.1:11434';
const LIST_MS = 3_000;

/**
 * Makes `ollama` a kind of agent: a conversation with a model of the Ollama on this machine, or of the provider that is
 * named `ollama` in the configuration. Without a model its first one answers.
 */
export function registerOllama(
  registry: AgentRegistry,
  config: () => DragomanConfig,
  calls: () => AgentCalls | undefined,
): { close(): Promise<void> } {
  const withOllama = (): DragomanConfig => ({
    ...config(),
    providers: { ...gatewayConfigShape.providers.parse({ ollama: { type: 'ollama' } }), ...config().providers },
  });
  const models = agentModels(withOllama, calls);
  const address = () => withOllama().providers['ollama']?.baseUrl ?? DEFAULT_URL;
  const open = (name: string | undefined, agent: string): AgentModel =>
    models.open(name === undefined ? undefined : `ollama/${name}`, agent);

  registry.registerBackend(
    'ollama',
    async ({ name, model, options, folder }) => {
      const { chatBackend } = await import('@dragoman/runner');
      const known = await listOllamaModels(address());
      return chatBackend({
        name,
        openModel: (asked) => open(asked, name),
        listModels: () => known,
        model: model ?? (options['route'] as string | undefined) ?? known[0],
        system: options['system'] as string | undefined,
        folder,
      });
    },
    {
      title: 'Ollama',
      capabilities: CHAT_CAPABILITIES,
      needsNoSetup: true,
      probe: () => listOllamaModels(address()).then(() => undefined, toFault),
    },
  );
  return models;
}

async function listOllamaModels(url: string): Promise<string[]> {
  const answer = await fetch(new URL('/api/tags', url), { signal: AbortSignal.timeout(LIST_MS) }).catch(
    (cause: unknown) => {
      throw new DragomanError('unavailable', `Ollama is not running at ${url}. Start it with: ollama serve`, {
        cause,
      });
    },
  );
  const { models = [] } = (await answer.json().catch(() => ({}))) as { models?: { name?: unknown }[] };
  const names = models.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (names.length > 0) return names;
  throw new DragomanError('unavailable', `Ollama at ${url} has no models yet. Get one with: ollama pull qwen3`);
}

/** What is wrong, and what helps: each said once. */
function toFault(error: unknown): Fault {
  const { message } = error as Error;
  const [, what = message, fix] = /^(.+?\.) [^.:]+: (ollama .+)$/.exec(message) ?? [];
  return { code: 'unavailable', message: what, ...(fix === undefined ? {} : { fix }) };
}
