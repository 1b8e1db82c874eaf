import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider, type ProviderRequest, startFakeProvider, tempFolder } from '@dragoman/testkit';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';
import { isJsonObject } from '../tools/json-object.ts';

export type FieldUpstream = Exclude<UpstreamKind, 'offline'>;

/** What becomes of a field at each kind of provider; `all` stands for those that have no word of their own. */
export type FieldRow = readonly [
  field: string,
  body: object,
  fates: Readonly<Partial<Record<FieldUpstream | 'all', string>>>,
];

/** What every provider answers, and what it answers where the question holds `TWO_CALLS`. */
export const ANSWER = 'one\n\nSTOP two';
const CALLS = ['c1', 'c2'];

/** The names of tools are those of the request, wherever its protocol has them. */
const WHOLE: Record<FieldUpstream, (text: boolean) => object> = {
  'openai-chat': (isText) => ({
    id: 'c',
    choices: [
      isText
        ? { message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }
        : {
            message: {
              role: 'assistant',
              tool_calls: CALLS.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
            },
            finish_reason: 'tool_calls',
          },
    ],
  }),
  'openai-responses': (isText) => ({
    id: 'r',
    status: 'completed',
    output: isText
      ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] }]
      : CALLS.map((id) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })),
  }),
  'anthropic-messages': (isText) => ({
    id: 'm',
    type: 'message',
    content: isText
      ? [{ type: 'text', text: ANSWER }]
      : CALLS.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
    stop_reason: isText ? 'end_turn' : 'tool_use',
  }),
  gemini: (isText) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: isText ? [{ text: ANSWER }] : CALLS.map((id) => ({ functionCall: { id, name: 'look', args: {} } })),
        },
        finishReason: 'STOP',
      },
    ],
  }),
  ollama: (isText) => ({
    model: 'm',
    message: isText
      ? { role: 'assistant', content: ANSWER }
      : {
          role: 'assistant',
          content: '',
          tool_calls: CALLS.map((id) => ({ id, function: { name: 'look', arguments: {} } })),
        },
    done: true,
    done_reason: 'stop',
  }),
  'ai-sdk': (isText) => ({
    content: isText
      ? [{ type: 'text', text: ANSWER }]
      : CALLS.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: '{}' })),
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  }),
};

export interface FieldGateway {
  gateway: TestGateway;
  fake: FakeProvider;
}

/** A gateway with one provider of a kind, which answers every question. */
export async function openFieldGateway(kind: FieldUpstream): Promise<FieldGateway> {
  const fake = await startFakeProvider();
  fake.answer(({ text }: ProviderRequest) => ({ body: JSON.stringify(WHOLE[kind](!text.includes('TWO_CALLS'))) }));
  const gateway = await openTestGateway({
    providers: {
      fake:
        kind === 'ai-sdk'
          ? { type: 'ai-sdk', package: askingPackage(fake.url), models: ['*'] }
          : provider(kind, fake.url),
    },
    routes: { default: ['fake/m'] },
  });
  return { gateway, fake };
}

/** A package of the AI SDK whose service is told the options of a call as they are. */
function askingPackage(url: string): string {
  const path = join(tempFolder(), 'asking.mjs');
  writeFileSync(
    path,
    `export const createAsking = () => ({ languageModel: () => ({
      specificationVersion: 'v4',
      doGenerate: async ({ abortSignal, ...options }) =>
        (await fetch(${JSON.stringify(url)}, { method: 'POST', body: JSON.stringify(options) })).json(),
    }) });`,
  );
  return path;
}

/**
 * What became of a field, in the words of the table: `no PLACE` where the call was refused for it, `out PLACES` where they were
 * named as left out, `cut to TEXT` and `COUNT calls` where the gateway did it on the answer, and else what the provider was told at the
 * places that are expected.
 */
export async function fateOf(
  { gateway, fake }: FieldGateway,
  path: string,
  body: object,
  expected: string,
): Promise<string> {
  const before = fake.requests.length;
  const reply = await gateway.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.status !== 200) {
    const sent = fake.requests.length === before ? '' : ' (but it was sent)';
    return reply.status === 400 ? `no ${refusedPlace(reply.text)}${sent}` : `${reply.status} ${reply.text}`;
  }
  const named = reply.headers.get('x-dragoman-left-out');
  if (named !== null) return `out ${named}`;
  const told = fake.requests.at(-1)!.body;
  return expected
    .split(' & ')
    .map((word) => {
      if (word.startsWith('cut to ')) return `cut to ${JSON.stringify(findText(JSON.parse(reply.text)))}`;
      if (word.endsWith(' calls')) return `${reply.text.match(/"c[12]"/g)?.length ?? 0} calls`;
      const [place = ''] = word.split('=', 1);
      return `${place}=${JSON.stringify(at(told, place))}`;
    })
    .join(' & ');
}

function refusedPlace(text: string): string {
  const error: unknown = (JSON.parse(text) as { error: unknown }).error;
  const message = isJsonObject(error) ? String(error['message']) : String(error);
  return message.split(':', 1)[0]!;
}

function at(value: unknown, place: string): unknown {
  return place.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** The text of an answer in any dialect: the first that begins as every answer here does. */
function findText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.startsWith('one') ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = findText(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
