import { AugmentLanguageModel, DirectContext } from '@augmentcode/auggie-sdk';
import { serveDragoman } from '@dragoman/testkit';
import { expect, test } from 'vitest';

type Prompt = Parameters<AugmentLanguageModel['doStream']>[0]['prompt'];

const CODE_BASE = [
  {
    path: 'src/calls/try-again.ts',
    contents:
      '/** How often a call that failed is retried before it is given up. */\nexport const MAX_RETRIES = 3;\n\nexport function mayRetry(attempt: number): boolean {\n  return attempt < MAX_RETRIES;\n}\n',
  },
  {
    path: 'src/login/check-password.ts',
    contents: 'export function checkPassword(given: string, stored: string) {\n  return hash(given) === stored;\n}\n',
  },
  { path: 'docs/colours.md', contents: '# Colours\n\nThe button is blue, and the bell is green.\n' },
];
const TOOL = {
  type: 'function' as const,
  name: 'codebase-retrieval',
  description: 'Finds code.',
  inputSchema: {
    type: 'object' as const,
    properties: { information_request: { type: 'string' as const } },
    required: ['information_request'],
  },
};

test('from a fresh start a real client syncs its code and asks the offline model, which looks the question up and names the right file', async () => {
  const server = await serveDragoman();
  const account = { apiKey: server.token, apiUrl: `${server.url}/` };
  const code = await DirectContext.create(account);
  await code.addToIndex(CODE_BASE);
  const model = new AugmentLanguageModel('', account);
  const question: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'where are retries limited?' }] }];

  const asked = await read(model, question);
  expect(asked).toMatchObject({
    finish: 'tool-calls',
    calls: [{ toolName: 'codebase-retrieval', input: '{"information_request":"where are retries limited?"}' }],
  });

  // The client answers the call as clients do: with the names of its blobs, at /agents/codebase-retrieval.
  const { toolCallId, toolName, input } = asked.calls[0]!;
  const { information_request } = JSON.parse(input) as { information_request: string };
  const found = await code.search(information_request);
  expect(found.indexOf('Path: ')).toBe(found.indexOf('Path: src/calls/try-again.ts'));

  const answered = await read(model, [
    ...question,
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: { information_request } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: found } }],
    },
  ]);
  expect(answered.finish).toBe('stop');
  expect(answered.text).toContain('src/calls/try-again.ts');
  expect(answered.text).toContain('MAX_RETRIES = 3');
});

async function read(model: AugmentLanguageModel, prompt: Prompt) {
  const { stream } = await model.doStream({ prompt, tools: [TOOL] });
  const result = { text: '', finish: '', calls: [] as { toolCallId: string; toolName: string; input: string }[] };
  for await (const part of stream as unknown as AsyncIterable<{
    type: string;
    delta?: string;
    finishReason?: string;
  }>) {
    if (part.type === 'text-delta') result.text += part.delta;
    if (part.type === 'tool-call') result.calls.push(part as unknown as (typeof result.calls)[number]);
    if (part.type === 'finish') result.finish = part.finishReason!;
  }
  return result;
}
