import { DragomanError, type Model, type ModelCall } from '@dragoman/protocol';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import type { Target } from '../routing/target.ts';
import { boundAnswer } from './bound-answer.ts';
import { HttpCaller } from './http-caller.ts';
import { hideInError, withoutSecretsInErrors } from './provider-secrets.ts';
import type { AcceptedCall, HttpUpstream, OpenCall } from './upstream.ts';

/** Every wire protocol over HTTP, by the name it has in the configuration; loaded when a provider that speaks it is asked. */
const HTTP_UPSTREAMS: Partial<Record<UpstreamKind, () => Promise<HttpUpstream>>> = {
  'openai-chat': async () => (await import('./openai-chat/upstream.ts')).openAiChatUpstream,
  'openai-responses': async () => (await import('./openai-responses/upstream.ts')).openAiResponsesUpstream,
  'anthropic-messages': async () => (await import('./anthropic-messages/upstream.ts')).anthropicMessagesUpstream,
  gemini: async () => (await import('./gemini/upstream.ts')).geminiUpstream,
  ollama: async () => (await import('./ollama/upstream.ts')).ollamaUpstream,
};

const OTHER_UPSTREAMS: Partial<Record<UpstreamKind, () => Promise<OpenCall>>> = {
  'ai-sdk': async () => (await import('./ai-sdk/upstream.ts')).openAiSdkCall,
  offline: async () => (await import('./offline/upstream.ts')).openOfflineCall,
};

/** All ways to a model. */
export class UpstreamRegistry {
  readonly http = new HttpCaller();
  readonly #model: Model | undefined;

  /** A model that is given answers every call. */
  constructor(model?: Model) {
    this.#model = model;
  }

  /** Whether targets are asked in their own protocol, which a given model is not. */
  get mayRelay(): boolean {
    return this.#model === undefined;
  }

  async open(call: ModelCall, target: Target, isStreamed: boolean, signal: AbortSignal): Promise<AcceptedCall> {
    const model = this.#model;
    if (model !== undefined) return { run: (sink) => model.stream(call, sink, signal) };
    refuseUnwantedFiles(target, () => hasFile(call));
    const { provider } = target;
    try {
      const accepted = await this.#openAt(call, target, isStreamed, signal);
      return {
        ...accepted,
        run: (sink, flow) => accepted.run(boundAnswer(withoutSecretsInErrors(sink, provider)), flow),
      };
    } catch (error) {
      throw error instanceof DragomanError ? hideInError(error, provider) : error;
    }
  }

  async #openAt(call: ModelCall, target: Target, isStreamed: boolean, signal: AbortSignal): Promise<AcceptedCall> {
    const { type } = target.provider;
    const other = OTHER_UPSTREAMS[type];
    if (other !== undefined) return (await other())(call, target, isStreamed, signal);
    return this.http.open(await httpUpstream(type), call, target, isStreamed, signal);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

/** The protocol of that name. One that was loaded is kept. */
export async function httpUpstream(type: UpstreamKind): Promise<HttpUpstream> {
  const known = loaded.get(type);
  if (known !== undefined) return known;
  const load = HTTP_UPSTREAMS[type];
  if (load === undefined)
    throw new DragomanError('config-invalid', `Providers of type "${type}" are not served over HTTP.`);
  const upstream = await load();
  loaded.set(type, upstream);
  return upstream;
}

const loaded = new Map<UpstreamKind, HttpUpstream>();

/** A model that takes no images is not sent any, in whatever way it is asked. */
export function refuseUnwantedFiles(target: Target, hasFiles: () => boolean): void {
  if (target.provider.images || !hasFiles()) return;
  throw new RefusedCall(
    'bad-request',
    `The model ${target.providerName}/${target.model} does not accept images or files.`,
    { isRetryable: true },
  );
}

function hasFile({ prompt }: ModelCall): boolean {
  return prompt.some(
    (message) =>
      typeof message.content !== 'string' &&
      message.content.some(
        (part) =>
          part.type === 'file' || (part.type === 'tool-result' && part.content.some(({ type }) => type === 'file')),
      ),
  );
}
