import { gatherAnswer, type ModelCall, type ModelMessage } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { openOfflineCall } from './upstream.ts';

async function ask(prompt: ModelMessage[], tools: ModelCall['tools'] = []) {
  const gathered = gatherAnswer();
  await (await openOfflineCall({ prompt, tools })).run(gathered);
  return gathered.answer.content;
}

const found = (text: string): ModelMessage[] => [
  { role: 'user', content: [{ type: 'text', text: 'where?' }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'code-search',
        content: [{ type: 'text', text }],
        isError: false,
      },
    ],
  },
];

test('what was found is told in a fence, so that code keeps its indentation', async () => {
  expect(await ask(found('Path: src/a.ts\n1 if (x) {\n2   y();\n```'))).toEqual([
    {
      type: 'text',
      text: 'The places to look at: src/a.ts.\n\nThis is what the search found:\n\n````\nPath: src/a.ts\n1 if (x) {\n2   y();\n```\n````',
    },
  ]);
});

test('much is cut at the end of a line, and says so', async () => {
  const [answer] = await ask(found('Path: src/a.ts\n'.repeat(1_000)));
  expect(answer).toMatchObject({ text: expect.stringMatching(/\nPath: src\/a\.ts\n…\n```$/) as string });
});
