import { gatherAnswer, type ModelCall, type ModelMessage } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
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
      text: 'Relevant files: src/a.ts.\n\nSearch results:\n\n````\nPath: src/a.ts\n1 if (x) {\n2   y();\n```\n````\n\nThis is the offline model. Add a model provider to explain and change code.',
    },
  ]);
});

test('much is cut at the end of a line, and says so', async () => {
  const [answer] = await ask(found('Path: src/a.ts\n'.repeat(1_000)));
  expect(answer).toMatchObject({
    text: expect.stringMatching(/\nPath: src\/a\.ts\n…\n```\n\nThis is the offline model\. .*$/) as string,
  });
});

test('the search tool is known under the name a client gives the tools of an MCP server', async () => {
  const prompt: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'where is the bill paid?' }] }];
  const offered = (name: string) => ({ name, description: '', inputSchema: {} });

  expect(await ask(prompt, [offered('my_other-retrieval'), offered('mcp_dragoman_codebase-retrieval')])).toMatchObject([
    {
      type: 'tool-call',
      toolName: 'mcp_dragoman_codebase-retrieval',
      input: '{"information_request":"where is the bill paid?"}',
    },
  ]);
});

describe('asked for a title', () => {
  const titled = (system: string, ...said: string[]): ModelMessage[] => [
    { role: 'system', content: system },
    ...said.map((text): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })),
  ];
  const WRITER = 'You are an expert in crafting titles for conversations.\nKeep your answers short.';

  test.each([
    ['behind an instruction', 'Please write a brief title for the following request:\n\nWhere is it?\nI looked.'],
    ['in a message of its own', 'Where is it?\n\nI looked.'],
  ])('it gives the question that stands %s', async (_where, said) => {
    expect(await ask(titled(WRITER, said))).toEqual([{ type: 'text', text: 'Where is it?' }]);
  });

  test('a long question is cut between words', async () => {
    const [answer] = await ask(titled(WRITER, 'Where is the discount of a customer applied '.repeat(4)));
    expect(answer).toEqual({ type: 'text', text: 'Where is the discount of a customer applied Where is the…' });
  });

  test('with tools at hand it is a conversation like any other, and so it is when titles are told of later on', async () => {
    const tool = { name: 'code-search', description: '', inputSchema: {} };
    expect(await ask(titled(WRITER, 'Where?'), [tool])).toMatchObject([{ type: 'tool-call' }]);
    expect(await ask(titled('You are a helper.\nUse titles in sentence case.', 'Where?'))).toMatchObject([
      { text: expect.stringContaining("I'm Dragoman's offline model") as string },
    ]);
  });
});

test('the question is found among what an editor puts around it', async () => {
  const text = '<context>\nThe date.\n</context>\n<userRequest>\nWhere is it?\n</userRequest>\n';
  expect(
    await ask(
      [{ role: 'user', content: [{ type: 'text', text }] }],
      [{ name: 'code-search', description: '', inputSchema: {} }],
    ),
  ).toMatchObject([{ input: '{"query":"Where is it?"}' }]);
});

test('the first request of a text counts as the whole of it where it has no end', async () => {
  const search = [{ name: 'code-search', description: '', inputSchema: {} }];
  const asked = (text: string) => ask([{ role: 'user', content: [{ type: 'text', text }] }], search);

  expect(await asked('<userRequest> Where is it?')).toMatchObject([
    { input: '{"query":"<userRequest> Where is it?"}' },
  ]);
  expect(await asked('a</userRequest><userRequest>\n b \n</userRequest><userRequest>c</userRequest>')).toMatchObject([
    { input: '{"query":"b"}' },
  ]);
});

test('of a very long question the beginning is asked, and of a very long result the beginning is read', async () => {
  const search = [{ name: 'code-search', description: '', inputSchema: {} }];
  const text = `<userRequest>${' '.repeat(100_000)}x${'y'.repeat(100_000)}`;

  expect(await ask([{ role: 'user', content: [{ type: 'text', text }] }], search)).toMatchObject([
    { input: JSON.stringify({ query: text.slice(0, 10_000) }) },
  ]);
  expect(await ask(found(`${'\n'.repeat(100_000)}src/a.ts`))).toEqual([
    {
      type: 'text',
      text: `Search results:\n\n\`\`\`\n${'\n'.repeat(4_000)}\n…\n\`\`\`\n\nThis is the offline model. Add a model provider to explain and change code.`,
    },
  ]);
});
