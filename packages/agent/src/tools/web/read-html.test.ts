import { expect, test } from 'vitest';
import { readHtml } from './read-html.ts';

const never = new AbortController().signal;

test('a page is made readable in a thread of its own', async () => {
  expect(
    await readHtml(
      { html: '<title>T</title><p>Hello <b>there</b></p>', url: 'https://a.example/', format: 'markdown' },
      { signal: never },
    ),
  ).toEqual({ title: 'T', text: 'Hello **there**', isPlain: false });
});

test('a page built to take for ever gives its bare words, and nothing waits for it', async () => {
  const hostile = `${'<div>'.repeat(200_000)}the words`;

  expect(
    await readHtml({ html: hostile, url: 'https://a.example/', format: 'markdown' }, { signal: never, limitMs: 200 }),
  ).toEqual({ title: '', text: 'the words', isPlain: true });
});

test('calling it off ends the thread', async () => {
  const call = new AbortController();
  const reading = readHtml(
    { html: '<div>'.repeat(200_000), url: 'https://a.example/', format: 'text' },
    { signal: call.signal },
  );
  call.abort(new Error('called off'));

  await expect(reading).rejects.toThrow('called off');
});
