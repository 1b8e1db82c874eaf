import type { ModelCall, ModelMessage, ProviderMetadata } from '@dragoman/protocol';

/** Whether a call asks for each of the things that not every provider can be told. */
export const CALL_SETTINGS = {
  toolChoice: ({ tools, toolChoice }) => tools.length > 0 && toolChoice !== undefined && toolChoice.type !== 'auto',
  allowsParallelTools: ({ tools, allowsParallelTools }) => tools.length > 0 && allowsParallelTools === false,
  strictTools: ({ tools }) => tools.some((tool) => tool.strict === true),
  temperature: ({ temperature }) => temperature !== undefined,
  topP: ({ topP }) => topP !== undefined,
  topK: ({ topK }) => isMore(topK),
  minP: ({ minP }) => isMore(minP),
  presencePenalty: ({ presencePenalty }) => isMore(presencePenalty),
  frequencyPenalty: ({ frequencyPenalty }) => isMore(frequencyPenalty),
  stopSequences: ({ stopSequences }) => stopSequences?.some((stop) => stop !== '') === true,
  seed: ({ seed }) => seed !== undefined,
  reasoningEffort: ({ reasoningEffort }) => reasoningEffort !== undefined,
  responseFormat: ({ responseFormat }) => responseFormat !== undefined,
  strictFormat: ({ responseFormat }) => responseFormat?.strict === true,
  verbosity: ({ verbosity }) => verbosity !== undefined,
  serviceTier: ({ serviceTier }) => serviceTier !== undefined,
  endUser: ({ endUser }) => endUser !== undefined,
  /** Marks of where a provider shall cache. */
  cacheControl: ({ prompt, tools }) =>
    tools.some(hasCacheMark) || prompt.some((message) => hasCacheMark(message) || somePart(message, hasCacheMark)),
  /** How closely a picture is looked at. */
  imageDetail: ({ prompt }) =>
    prompt.some((message) =>
      somePart(message, (part) => part.providerOptions?.['openai']?.['imageDetail'] !== undefined),
    ),
  /** What a model thought before. */
  thoughts: ({ prompt }) => prompt.some((message) => message.role === 'assistant' && message.content.some(isThought)),
} as const satisfies Record<string, (call: ModelCall) => boolean>;

export type CallSetting = keyof typeof CALL_SETTINGS;

/** What the client that asked calls a setting, by its place in the request. */
export type SettingNames = Readonly<Partial<Record<CallSetting, string>>>;

/** Whether the thoughts in a call are all such that a provider takes them back. */
export function areThoughts(call: ModelCall, provider: string, ...keys: string[]): boolean {
  return call.prompt.every(
    (message) =>
      message.role !== 'assistant' ||
      message.content.every(
        (part) => !isThought(part) || keys.some((key) => part.providerOptions?.[provider]?.[key] !== undefined),
      ),
  );
}

interface Optioned {
  providerOptions?: ProviderMetadata;
}

/** Zero is what providers do anyway. */
function isMore(value: number | undefined): boolean {
  return value !== undefined && value !== 0;
}

function hasCacheMark({ providerOptions }: Optioned): boolean {
  return providerOptions !== undefined && (providerOptions['anthropic']?.['cacheControl'] ?? null) !== null;
}

function isThought({ type }: { type: string }): boolean {
  return type === 'reasoning';
}

/** Parts of a message, and of the results in it. */
function somePart({ content }: ModelMessage, test: (part: Optioned) => boolean): boolean {
  if (typeof content === 'string') return false;
  return content.some((part) => test(part) || (part.type === 'tool-result' && part.content.some(test)));
}
