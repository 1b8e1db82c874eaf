import { type ContentBlock, partMaker } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { larkRenderer } from '../lark/cards/card-renderer.ts';
import { telegramRenderer } from '../telegram/telegram-renderer.ts';
import type { Scene } from './channel.ts';
import { shareablePart } from './shareable-part.ts';

const TOKEN = `ghp_${'aB3'.repeat(12)}`;

function sessionWith(...blocks: ContentBlock[]) {
  const session = sessionOf();
  session.turn('go');
  for (const block of blocks) session.block(block.type === 'tool_result' ? 'user' : 'assistant', block);
  return session.view();
}

const SAID: ContentBlock[] = [
  {
    type: 'tool_use',
    id: 'a',
    name: 'fetch',
    title: `Fetch with ${TOKEN}`,
    input: {
      url: 'https://ann:hunter2x@a.b/',
      headers: { Authorization: ['Bearer hunter2'] },
      body: '{"password":"hunter2"}',
    },
  },
  {
    type: 'tool_result',
    tool_use_id: 'a',
    content: `{"refreshToken":"hunter2"}\npassword: tr0ub4dor`,
    is_error: true,
    diffs: [{ path: 'a.ts', unified: `@@ -1 +1 @@\n-const token = "${TOKEN}"\n+b\n` }],
  },
  { type: 'tool_use', id: 'b', name: 'bash', input: { command: `curl -u ann:hunter2 https://a.b` } },
  { type: 'tool_result', tool_use_id: 'b', content: `${TOKEN}${'.'.repeat(200_000)} ${TOKEN}` },
  { type: 'tool_result', tool_use_id: 'gone', content: TOKEN },
];

test.each([
  ['Telegram', telegramRenderer],
  ['Lark', larkRenderer],
])('%s is sent nothing of the secrets that tools were given or answered', (_channel, renderer) => {
  const view = sessionWith(...SAID);
  const scene: Scene = { view, language: 'en', link: undefined, ownPrompts: new Map() };

  const posts = JSON.stringify(partMaker()(view).map((part): unknown => renderer.part(part, scene)));

  expect(posts.replaceAll('\\', '')).not.toMatch(/ghp_|hunter2|tr0ub4dor/);
  expect(posts).toContain('REDACTED');
});

test('a row that did not change is the same object as before', () => {
  const part = partMaker()(sessionWith(...SAID))[0]!;
  const again = shareablePart(part).rows;

  for (const [index, row] of shareablePart(part).rows.entries()) expect(again[index]).toBe(row);
});
