import { DragomanError, type Model, type ModelCall } from '@dragoman/protocol';
import type { UpstreamKind } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';
import { anthropicMessagesUpstream } from './anthropic-messages/upstream.ts';
import { openAiSdkCall } from './ai-sdk/upstream.ts';
import { geminiUpstream } from './gemini/upstream.ts';
import { HttpCaller } from './http-caller.ts';
import { ollamaUpstream } from './ollama/upstream.ts';
import { openOfflineCall } from './offline/upstream.ts';
import { openAiChatUpstream } from './openai-chat/upstream.ts';
import { openAiResponsesUpstream } from './openai-responses/upstream.ts';
import type { AcceptedCall, HttpUpstream, OpenCall } from './upstream.ts';

/** Every wire protocol over HTTP, by the name it has in the configuration. */
const HTTP_UPSTREAMS: Partial<Record<UpstreamKind, HttpUpstream>> = {
  'openai-chat': openAiChatUpstream,
  'openai-responses': openAiResponsesUpstream,
  'anthropic-messages': anthropicMessagesUpstream,
  gemini: geminiUpstream,
  ollama: ollamaUpstream,
};

const OTHER_UPSTREAMS: Partial<Record<UpstreamKind, OpenCall>> = {
  'ai-sdk': openAiSdkCall,
  offline: openOfflineCall,
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
    refuseUnwantedFiles(call, target);
    const { type } = target.provider;
    const other = OTHER_UPSTREAMS[type];
    if (other !== undefined) return other(call, target, isStreamed, signal);
    return this.http.open(httpUpstream(type), call, target, isStreamed, signal);
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

export function httpUpstream(type: UpstreamKind): HttpUpstream {
  const upstream = HTTP_UPSTREAMS[type];
  if (upstream === undefined)
    throw new DragomanError('config-invalid', `Providers of type "${type}" are not served over HTTP.`);
  return upstream;
}

function refuseUnwantedFiles(call: ModelCall, target: Target): void {
  if (target.provider.images) return;
  const hasFile = call.prompt.some(
    (message) =>
      typeof message.content !== 'string' &&
      message.content.some(
        (part) =>
          part.type === 'file' || (part.type === 'tool-result' && part.content.some(({ type }) => type === 'file')),
      ),
  );
  if (hasFile)
    throw new DragomanError(
      'bad-request',
      `The model ${target.providerName}/${target.model} does not take images or files.`,
      { isRetryable: true },
    );
}
