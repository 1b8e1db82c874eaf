import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askQuestion } from './ask-question.ts';
import { Screen } from './screen.fixture.ts';

const OPTIONS = [
  { id: 'red', name: 'Red' },
  { id: 'decline', name: 'Decline' },
];

function ask(takesText: boolean, signal?: AbortSignal) {
  const input = new PassThrough();
  const output = new Screen(60);
  const interrupts: string[] = [];
  const question = {
    title: 'Which colour?',
    reason: 'As it is.\nAsked by the MCP server "srv".',
    options: OPTIONS,
    takesText,
  };
  const answer = askQuestion(
    { input, output, onInterrupt: () => interrupts.push('interrupt'), ...(signal && { signal }) },
    question,
  );
  return { input, output, answer, interrupts };
}

test('a choice is shown with its numbers, and only one of these is an answer', async () => {
  const { input, output, answer } = ask(false);
  expect(output.text).toBe(
    [
      '? Which colour?',
      '  As it is.',
      '  Asked by the MCP server "srv".',
      '  1  Red',
      '  2  Decline',
      '  Type a number from 1 to 2.',
    ].join('\n'),
  );
  for (const line of ['', 'red', '3', '0']) input.write(`${line}\n`);
  input.write('2\n');
  await answer;
  expect(output.text.match(/Type a number from 1 to 2/g)).toHaveLength(5);
  expect(await answer).toEqual({ type: 'chosen', optionId: 'decline' });
});

test('where words are taken a number is one of them, and an option has a # before it', async () => {
  const [words, option] = [ask(true), ask(true)];
  words.input.write('\n 2 \n');
  option.input.write('#2\n');
  expect(await words.answer).toEqual({ type: 'text', text: '2' });
  expect(await option.answer).toEqual({ type: 'chosen', optionId: 'decline' });
});

test('the end of the input cancels, and so does Ctrl-C, which is passed on', async () => {
  const [ended, interrupted] = [ask(true), ask(true)];
  ended.input.end();
  interrupted.input.write('\u0003');
  expect(await ended.answer).toEqual({ type: 'cancelled' });
  expect(await interrupted.answer).toEqual({ type: 'cancelled' });
  expect([ended.interrupts, interrupted.interrupts]).toEqual([[], ['interrupt']]);
});

test('a question that is withdrawn is asked no more', async () => {
  const stop = new AbortController();
  const { answer } = ask(true, stop.signal);
  stop.abort(new Error('too late'));
  await expect(answer).rejects.toThrow('too late');
});

test('what a server says cannot move the cursor or hide anything', async () => {
  const output = new Screen(60);
  const input = new PassThrough();
  const answer = askQuestion(
    { input, output },
    { title: 'a\u001B[2Jb\u202Ec', reason: '', options: [{ id: 'x', name: 'x\u001B[1A' }], takesText: false },
  );
  const shown = output.text;
  input.write('1\n');
  await answer;
  expect([shown.includes('\u001B'), shown.includes('\u202E')]).toEqual([false, false]);
});
