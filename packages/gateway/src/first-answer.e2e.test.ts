import { AugmentLanguageModel } from '@augmentcode/auggie-sdk';
import { serveDragoman } from '@dragoman/testkit';
import { expect, test } from 'vitest';

type Prompt = Parameters<AugmentLanguageModel['doStream']>[0]['prompt'];

test('from a fresh start a real client asks the offline model, which looks the question up and names the place', async () => {
  const server = await serveDragoman();
  const model = new AugmentLanguageModel('', { apiKey: server.token, apiUrl: `${server.url}/` });
  const tools = [
    {
      type: 'function' as const,
      name: 'codebase-retrieval',
      description: 'Finds code.',
      inputSchema: {
        type: 'object' as const,
        properties: { information_request: { type: 'string' as const } },
        required: ['information_request'],
      },
    },
  ];
  const question: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'where are retries limited?' }] }];

  const asked = await read(model, question);
  expect(asked).toMatchObject({
    finish: 'tool-calls',
    calls: [{ toolName: 'codebase-retrieval', input: '{"information_request":"where are retries limited?"}' }],
  });

  const { toolCallId } = asked.calls[0]!;
  const answered = await read(model, [
    ...question,
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'codebase-retrieval', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName: 'codebase-retrieval',
          output: { type: 'text', value: 'Path: src/retry.ts\n     1\texport const MAX_RETRIES = 3;' },
        },
      ],
    },
  ]);
  expect(answered.finish).toBe('stop');
  expect(answered.text).toContain('src/retry.ts');
  expect(answered.text).toContain('MAX_RETRIES = 3');

  async function read(asking: AugmentLanguageModel, prompt: Prompt) {
    const { stream } = await asking.doStream({ prompt, tools });
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
});
