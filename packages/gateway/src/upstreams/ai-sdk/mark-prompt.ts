import type { ModelCall, ModelMessage, ProviderMetadata } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';

/** The service behind the packages refuses more. */
const MAX_MARKS = 4;

/** What a package that serves Claude calls a cache mark. */
const MARKS: readonly { packageName: RegExp; model: RegExp; mark: ProviderMetadata }[] = [
  { packageName: /anthropic/, model: /./, mark: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
  { packageName: /bedrock/, model: /claude/i, mark: { bedrock: { cachePoint: { type: 'default' } } } },
];

/** A call with cache marks where `markClaudePrompt` would set them, for packages that serve Claude. */
export function markAiSdkCall(call: ModelCall, { provider, model }: Target): ModelCall {
  const known = MARKS.find((entry) => entry.packageName.test(provider.package ?? '') && entry.model.test(model));
  if (known === undefined || provider.promptCaching === false) return call;
  const { prompt, tools } = call;
  const [end, previous] = call.isOneOff === true ? [-1, -1] : conversationEnds(prompt);
  const system = prompt.findLastIndex((message) => message.role === 'system');
  const marked = [end, previous, system].filter((index) => index >= 0);
  const free = MAX_MARKS - countMarks(call);
  const places = new Set(marked.slice(0, Math.max(0, free)));
  const lastTool = free > places.size ? tools.length - 1 : -1;
  return {
    ...call,
    prompt: prompt.map((message, index) => (places.has(index) ? withMark(message, known.mark) : message)),
    tools: tools.map((tool, index) => (index === lastTool ? withMark(tool, known.mark) : tool)),
  };
}

/** Where the conversation ends, and where it ended before the last answer. */
function conversationEnds(prompt: readonly ModelMessage[]): [end: number, previous: number] {
  const isAsked = ({ role }: ModelMessage) => role === 'user' || role === 'tool';
  const end = prompt.findLastIndex(isAsked);
  const answer = prompt.findLastIndex(({ role }, index) => role === 'assistant' && index < end);
  return [end, prompt.findLastIndex((message, index) => isAsked(message) && index < answer)];
}

/** Marks that came with the call; each counts. */
function countMarks({ prompt, tools }: ModelCall): number {
  type Part = { providerOptions?: ProviderMetadata };
  const parts = prompt.flatMap(({ content }): readonly Part[] => (typeof content === 'string' ? [] : content));
  return [...prompt, ...parts, ...tools].filter(
    (part) => part.providerOptions?.['anthropic']?.['cacheControl'] !== undefined,
  ).length;
}

/** What was there already stays, a mark of the client included. */
function withMark<Marked extends { providerOptions?: ProviderMetadata }>(part: Marked, mark: ProviderMetadata): Marked {
  const [[name, options]] = Object.entries(mark) as [[string, ProviderMetadata[string]]];
  return {
    ...part,
    providerOptions: { ...part.providerOptions, [name]: { ...options, ...part.providerOptions?.[name] } },
  };
}
