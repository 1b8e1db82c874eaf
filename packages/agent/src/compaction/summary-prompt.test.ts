import type { AnyPart, Message } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';
import { summaryPrompt } from './summary-prompt.ts';

const time = { start: 1, end: 2 };

function message(...parts: object[]): Message {
  const model = { providerID: 'test', modelID: 'm' };
  return {
    info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
    parts: parts.map((part) => ({ id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', ...part }) as AnyPart),
  };
}

function conversation(messages: readonly Message[], maxTokens = 100_000, earlier?: string): string {
  const [, user] = summaryPrompt(messages, earlier, maxTokens);
  const [piece] = user!.content;
  return typeof piece === 'object' && 'text' in piece ? piece.text : '';
}

test('every part that matters is told, in short [FR-54]', () => {
  const parts = [
    { type: 'text', text: 'Build it.' },
    { type: 'text', text: 'only shown', ignored: true },
    { type: 'file', mime: 'image/png', url: 'data:,' },
    { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'data:,' },
    { type: 'patch', hash: 'h', files: ['a.ts', 'b.ts'] },
    { type: 'subtask', agent: 'explore', description: 'look', prompt: 'look around' },
    { type: 'tool', tool: 'read', state: { status: 'completed', input: { a: 1 }, output: 'x'.repeat(3_000), time } },
    { type: 'tool', tool: 'bash', state: { status: 'error', input: {}, error: 'no such file', time } },
    { type: 'tool', tool: 'grep', state: { status: 'pending', input: {}, raw: '' } },
    { type: 'step-start' },
  ];
  expect(conversation([message(...parts)])).toBe(
    [
      '<conversation>',
      'USER: Build it.',
      '[file image/png]',
      '[file a.txt]',
      '[changed: a.ts, b.ts]',
      '[task for explore: look]',
      '[read {"a":1}]',
      `${'x'.repeat(2_000)} [cut]`,
      '[bash {}]',
      'error: no such file',
      '[grep {}]',
      '',
      '</conversation>',
      '',
      'Sum it up.',
    ].join('\n'),
  );
});

test('it fits what the model can take: the oldest goes first, and one message that is too long is cut', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
  const messages = Array.from({ length: 20 }, (_, index) =>
    message({ type: 'text', text: `Part ${index}. ${words(100)}` }),
  );
  const some = conversation(messages, 2_000);
  expect(some).toMatch(/^<conversation>\n\[Older messages are left out for want of room\.\]/);
  expect(some).toContain('Part 19.');
  expect(estimateTokens(some)).toBeLessThan(2_000);

  const one = conversation([message({ type: 'text', text: words(5_000) })], 1_500);
  expect(one).toMatch(/\n\[cut\]\n<\/conversation>/);
});

test('the summary before is summed up with the rest', () => {
  expect(conversation([message({ type: 'text', text: 'more' })], 100_000, '## Goal')).toMatch(
    /^<earlier-summary>\n## Goal\n<\/earlier-summary>\n\n<conversation>/,
  );
});
