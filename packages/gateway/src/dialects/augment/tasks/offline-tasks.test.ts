import { describe, expect, test } from 'vitest';
import { openTestGateway } from '../../../gateway.fixture.ts';

const SELECTION = '```ts\nconst a =  1;\n```\n\tlast';

/** The answer of the offline model, which alone is there, on a route that cuts what models say after a few words. */
async function ask(path: string, body: object): Promise<unknown[]> {
  const gateway = await openTestGateway({ routes: { default: { targets: ['offline/offline'], maxTokens: 2 } } });
  const { status, text } = await gateway.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('the offline model writes nothing into the code of a person', () => {
  test.each([
    ['/completion', { prompt: 'const total = ', suffix: ';\n', path: 'a.ts' }],
    ['/chat-input-completion', { prompt: 'where is' }],
  ])('%s is empty', async (path, body) => {
    expect(await ask(path, body)).toEqual([
      { completion_items: [], unknown_blob_names: [], checkpoint_not_found: false },
    ]);
  });

  test('an edit gives the selection back as it is, whole', async () => {
    expect(await ask('/edit', { instruction: 'rename', prefix: 'x', selected_text: SELECTION, suffix: 'y' })).toEqual([
      { text: SELECTION, unknown_blob_names: [], checkpoint_not_found: false },
    ]);
  });

  test('an instruction replaces the selection by itself', async () => {
    expect(await ask('/instruction-stream', { instruction: 'rename', selected_code: SELECTION })).toMatchObject([
      { replacement_text: SELECTION, replacement_old_text: SELECTION },
    ]);
  });

  test('a paste leaves the file as it is', async () => {
    expect(
      await ask('/smart-paste-stream', {
        code_block: 'x',
        target_file_path: 'a.md',
        target_file_content: SELECTION,
      }),
    ).toMatchObject([{ replacement_text: SELECTION, replacement_old_text: SELECTION }]);
  });

  test('no next edit is suggested', async () => {
    expect(await ask('/next-edit-stream', { path: 'a.md', selected_text: SELECTION })).toEqual([
      { unknown_blob_names: [], checkpoint_not_found: false },
    ]);
  });

  test('a commit message stays empty', async () => {
    const lines = (await ask('/generate-commit-message-stream', { diff: '+x' })) as { text: string }[];
    expect(lines.map(({ text }) => text).join('')).toBe('');
    expect(lines.at(-1)).toMatchObject({ stop_reason: 1 });
  });

  test('a prompt is no better than it was', async () => {
    const lines = (await ask('/prompt-enhancer', { message: 'fix the bug\nin a.ts, please' })) as { text: string }[];
    expect(lines.map(({ text }) => text).join('')).toBe('fix the bug\nin a.ts, please');
  });

  test('a conversation has its first question as its title', async () => {
    expect(
      await ask('/generate-conversation-title', {
        chat_history: [
          { request_message: 'Where is the discount applied?\nI looked.', response_text: 'In src/prices.ts.' },
          { request_message: 'And the tax?', response_text: 'Nowhere.' },
        ],
      }),
    ).toMatchObject([{ title: 'Where is the discount applied?' }]);
  });
});

test('a selection that is a fence keeps it', async () => {
  expect(await ask('/edit', { instruction: 'x', selected_text: '```\na\n```' })).toMatchObject([
    { text: '```\na\n```' },
  ]);
});
