import type { ScenarioName } from './scenarios.ts';
import type { ProtocolName } from './upstream/scripted-upstreams.ts';

/** What a client does not come through, by its own rules and with every service. */
export interface KnownException {
  /** As the tests call it. */
  client: string;
  scenario: ScenarioName;
  /** The kinds of providers where it is so; all where none is named. */
  on?: readonly ProtocolName[];
  /** What the person at the client reads instead of an answer. */
  says: readonly string[];
  /** Whether the service refuses what the client sends, which is passed on as it is where both speak the same protocol. */
  isRefused?: boolean;
  reason: string;
  /** The protocol in which the same client is tried without Dragoman, or what else shows that it is the client's own way. */
  compared: { directly: ProtocolName } | { seen: string };
}

const GIVEN_AWAY = {
  scenario: 'comes through a cut',
  says: ['was terminated in the middle'],
  reason: 'The library has handed out the beginning of the answer, and leaves it to its caller to ask again.',
} as const;

/** Every cell that is not green, and why. The tests hold each one to what is said here. */
export const KNOWN_EXCEPTIONS: readonly KnownException[] = [
  {
    client: 'cline',
    scenario: 'comes through a cut',
    says: ['was terminated in the middle'],
    reason: 'It asks again only as long as nothing of the answer has come.',
    compared: { directly: 'chat' },
  },
  { client: 'openai runTools', ...GIVEN_AWAY, compared: { directly: 'chat' } },
  { client: 'openai responses', ...GIVEN_AWAY, compared: { directly: 'responses' } },
  { client: '@anthropic-ai/sdk', ...GIVEN_AWAY, compared: { directly: 'messages' } },
  { client: '@google/genai', ...GIVEN_AWAY, compared: { directly: 'gemini' } },
  { client: 'ollama', ...GIVEN_AWAY, compared: { seen: 'Its source has no second attempt for any call.' } },
  { client: 'ai @ai-sdk/openai', ...GIVEN_AWAY, compared: { directly: 'responses' } },
  { client: 'ai @ai-sdk/openai chat', ...GIVEN_AWAY, compared: { directly: 'chat' } },
  { client: 'ai @ai-sdk/openai-compatible', ...GIVEN_AWAY, compared: { directly: 'chat' } },
  { client: 'ai @ai-sdk/anthropic', ...GIVEN_AWAY, compared: { directly: 'messages' } },
  { client: 'ai @ai-sdk/google', ...GIVEN_AWAY, compared: { directly: 'gemini' } },
  {
    client: 'ai @augmentcode/auggie-sdk',
    ...GIVEN_AWAY,
    compared: { seen: 'The same `ai` with its other packages ends in the same way.' },
  },
  { client: '@langchain/openai', ...GIVEN_AWAY, compared: { directly: 'chat' } },
  { client: '@langchain/openai responses', ...GIVEN_AWAY, compared: { directly: 'responses' } },
  { client: '@langchain/anthropic', ...GIVEN_AWAY, compared: { directly: 'messages' } },
  {
    client: '@langchain/google-genai',
    ...GIVEN_AWAY,
    // It reads no errors in a stream.
    says: ['Failed to parse stream'],
    compared: { directly: 'gemini' },
  },
  {
    client: '@langchain/google-genai',
    scenario: 'runs two tools at once',
    on: ['gemini'],
    says: ['number of function response parts'],
    isRefused: true,
    reason: 'It sends each result as a turn of its own, and Gemini takes the results of one turn only together.',
    compared: { directly: 'gemini' },
  },
  { client: '@langchain/ollama', ...GIVEN_AWAY, compared: { seen: 'It uses `ollama`, which has no second attempt.' } },
  { client: '@openai/agents responses', ...GIVEN_AWAY, compared: { directly: 'responses' } },
  { client: '@openai/agents chat', ...GIVEN_AWAY, compared: { directly: 'chat' } },
];

export function exceptionOf(
  client: string,
  protocol: ProtocolName,
  scenario: ScenarioName,
): KnownException | undefined {
  return KNOWN_EXCEPTIONS.find(
    (known) => known.client === client && known.scenario === scenario && (known.on?.includes(protocol) ?? true),
  );
}
