import type { ModelCall, ProviderMetadata } from '@dragoman/protocol';

/**
 * What we use of the AI SDK's language-model specification, in its versions 2, 3 and 4. They differ in how files are
 * given, and in the shape of usage and finish reason.
 */
export type AiSdkVersion = 'v2' | 'v3' | 'v4';

export interface AiSdkModel {
  specificationVersion: AiSdkVersion;
  doStream(options: AiSdkCallOptions): PromiseLike<{ stream: ReadableStream<AiSdkStreamPart> }>;
  doGenerate(options: AiSdkCallOptions): PromiseLike<AiSdkResult>;
}

export interface AiSdkCallOptions extends Pick<
  ModelCall,
  | 'toolChoice'
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'responseFormat'
> {
  prompt: AiSdkMessage[];
  tools?: {
    type: 'function';
    name: string;
    description: string;
    inputSchema: unknown;
    providerOptions?: ProviderMetadata;
  }[];
  /** Version 4. */
  reasoning?: NonNullable<ModelCall['reasoningEffort']>;
  abortSignal?: AbortSignal;
}

export type AiSdkMessage =
  | { role: 'system'; content: string; providerOptions?: ProviderMetadata }
  | { role: 'user' | 'assistant' | 'tool'; content: AiSdkPart[]; providerOptions?: ProviderMetadata };

export type AiSdkPart = { providerOptions?: ProviderMetadata } & (
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'file'; mediaType: string; data: AiSdkFileData; filename?: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: AiSdkToolOutput }
);

/** Base64 or an address; since version 4 with its kind written beside it. */
export type AiSdkFileData = string | URL | { type: 'data'; data: string } | { type: 'url'; url: URL };

export type AiSdkToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: ({ type: string } & Record<string, unknown>)[] };

/** A piece of a streamed answer. Which fields are there depends on the type; what is foreign to us is skipped. */
export interface AiSdkStreamPart {
  type: string;
  id?: string;
  delta?: string;
  modelId?: string;
  toolName?: string;
  toolCallId?: string;
  /** JSON text. */
  input?: string;
  /** `text`: the deltas are not JSON; only the call at the end is. */
  inputEncoding?: string;
  /** The provider runs the tool itself. */
  providerExecuted?: boolean;
  providerMetadata?: ProviderMetadata;
  finishReason?: AiSdkFinishReason;
  usage?: AiSdkUsage;
  error?: unknown;
  /** Of the part that a stream begins with. */
  warnings?: AiSdkWarning[];
}

/** What a package could not tell its service: `setting` in version 2, `feature` since. */
export interface AiSdkWarning {
  type: string;
  setting?: string;
  feature?: string;
}

export interface AiSdkResult {
  warnings?: AiSdkWarning[];
  content?: ({ type: string; text?: string } & Omit<AiSdkStreamPart, 'type'>)[];
  finishReason?: AiSdkFinishReason;
  usage?: AiSdkUsage;
  providerMetadata?: ProviderMetadata;
  response?: { id?: string; modelId?: string };
}

/** A word in version 2, both words since. */
export type AiSdkFinishReason = string | { unified: string; raw?: string };

/** Plain numbers in version 2, with their details since. */
export interface AiSdkUsage {
  inputTokens?: number | { total?: number; cacheRead?: number; cacheWrite?: number };
  outputTokens?: number | { total?: number; reasoning?: number };
  reasoningTokens?: number;
  cachedInputTokens?: number;
}
