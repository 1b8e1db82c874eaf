import { PassThrough, Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { readPrompt } from './read-prompt.ts';

const nobody = new PassThrough();
const piped = (...pieces: (string | Uint8Array)[]) => Readable.from(pieces);

test('the words are the prompt, and a terminal is not read', async () => {
  expect(await readPrompt({ args: ['fix', 'the login '], stdin: nobody, isTTY: true })).toBe('fix the login');
});

test('what is piped in stands below the words, after an empty line', async () => {
  expect(await readPrompt({ args: ['explain'], stdin: piped('line 1\nli', 'ne 2\n'), isTTY: false })).toBe(
    'explain\n\nline 1\nline 2',
  );
});

test('without words, what is piped in is the prompt', async () => {
  const bytes = Buffer.from('\uFEFFgrüße 中\n');
  const stdin = piped(bytes.subarray(0, 6), bytes.subarray(6, 13), bytes.subarray(13));
  expect(await readPrompt({ args: [], stdin, isTTY: false })).toBe('grüße 中');
});

test('nothing at all is no prompt', async () => {
  expect(await readPrompt({ args: [' '], stdin: piped(' \n'), isTTY: false })).toBeUndefined();
  expect(await readPrompt({ args: [], stdin: nobody, isTTY: true })).toBeUndefined();
});

test('more than 10 MB is refused', async () => {
  const megabyte = 'x'.repeat(1_000_000);
  const fits = Array.from({ length: 10 }, () => megabyte);
  expect(await readPrompt({ args: [], stdin: piped(...fits), isTTY: false })).toHaveLength(10_000_000);
  await expect(readPrompt({ args: [], stdin: piped(...fits, 'y'), isTTY: false })).rejects.toMatchObject({
    code: 'too-large',
    message: 'The piped input is larger than 10000000 bytes. Save it to a file and mention its path instead.',
  });
});

test('a pipe that says nothing is told about, and given up on at last', async () => {
  const onWaiting = vi.fn<() => void>();
  const stdin = new PassThrough();
  await expect(
    readPrompt({ args: ['x'], stdin, isTTY: false, onWaiting, waitingMs: 1, idleMs: 50 }),
  ).rejects.toMatchObject({ code: 'timed-out' });
  expect(onWaiting).toHaveBeenCalledOnce();
});

test('an abort ends the reading', async () => {
  const abort = new AbortController();
  const reading = readPrompt({ args: [], stdin: new PassThrough(), isTTY: false, signal: abort.signal });
  abort.abort(new Error('Ctrl-C'));
  await expect(reading).rejects.toThrow('Ctrl-C');
  await expect(readPrompt({ args: [], stdin: new PassThrough(), isTTY: false, signal: abort.signal })).rejects.toThrow(
    'Ctrl-C',
  );
});
