import type { ProviderMetadata } from './model-event.ts';

/** A file's content: bytes in base64, or an address the provider fetches itself. */
export type FileData = { type: 'base64'; base64: string } | { type: 'url'; url: string };

export interface PromptText {
  type: 'text';
  text: string;
  providerOptions?: ProviderMetadata;
}

/** An image (`image/png`, …) or a document (`application/pdf`). */
export interface PromptFile {
  type: 'file';
  mediaType: string;
  data: FileData;
  filename?: string;
  providerOptions?: ProviderMetadata;
}

/** `providerOptions` holds what came with it, such as a signature; only the provider that made it gets it back. */
export interface PromptReasoning {
  type: 'reasoning';
  text: string;
  providerOptions?: ProviderMetadata;
}

/** `input` is the argument text as the model wrote it, a JSON object. */
export interface PromptToolCall {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: string;
  providerOptions?: ProviderMetadata;
}

export interface PromptToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  content: (PromptText | PromptFile)[];
  isError: boolean;
  providerOptions?: ProviderMetadata;
}

/** One message of a prompt, with the roles of the AI SDK's language-model specification. */
export type ModelMessage =
  | { role: 'system'; content: string; providerOptions?: ProviderMetadata }
  | { role: 'user'; content: (PromptText | PromptFile)[]; providerOptions?: ProviderMetadata }
  | {
      role: 'assistant';
      content: (PromptText | PromptReasoning | PromptToolCall)[];
      providerOptions?: ProviderMetadata;
    }
  | { role: 'tool'; content: PromptToolResult[]; providerOptions?: ProviderMetadata };

/** A tool the model may call. The schema is JSON Schema for an object. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** The provider holds the model to the schema. */
  strict?: boolean;
  providerOptions?: ProviderMetadata;
}

export type ToolChoice =
  | { type: 'auto' }
  | { type: 'none' }
  | { type: 'required' }
  | { type: 'tool'; toolName: string };

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What a model is asked: the prompt, the tools and the settings. What is absent is left to the provider. */
export interface ModelCall {
  prompt: ModelMessage[];
  tools: ToolDefinition[];
  toolChoice?: ToolChoice;
  allowsParallelTools?: boolean;
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  stopSequences?: string[];
  seed?: number;
  reasoningEffort?: ReasoningEffort;
  responseFormat?: {
    type: 'json';
    name?: string;
    description?: string;
    schema?: Readonly<Record<string, unknown>>;
    /** The provider holds the model to the schema. */
    strict?: boolean;
  };
  /** How much is said. */
  verbosity?: 'low' | 'medium' | 'high';
  /** How fast and how dear, in OpenAI's words; `default` is the plain tier. */
  serviceTier?: string;
  /** Who asks the asker, by a name that tells nothing: for providers that look for abuse. */
  endUser?: string;
  /** A name for the conversation, for the provider's prompt cache: the asker's own, or one that is the same in all its turns. */
  promptCacheKey?: string;
  /** Nothing will follow on it, as on a title: its end is not worth keeping in a cache. */
  isOneOff?: boolean;
  /**
   * Where the answer takes the place of something a person wrote: the answer that leaves it as it is. The offline model
   * gives it; it is sent to nobody.
   */
  unchanged?: string;
}
