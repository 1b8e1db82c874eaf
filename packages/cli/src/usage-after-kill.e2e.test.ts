import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runDragoman, type RunningDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { says } from './chat-answer.fixture.ts';

test('a call whose answer has ended is in the usage, though the database was locked and the server was killed', async () => {
  const fake = await startFakeProvider();
  fake.answer(says('done'));
  const home = tempFolder();
  const providers = { fake: { type: 'openai-chat', baseUrl: `${fake.url}/v1`, apiKey: 'k' } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers, routes: { default: ['fake/m'] } }));
  const first = await serveDragoman([], { home });
  const other = new DatabaseSync(join(home, 'dragoman.sqlite'));
  onTestFinished(() => other.close());
  other.exec('begin immediate');

  const doors = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/chat-stream'];
  for (const door of doors) await ask(first, door);
  await first.stop('SIGKILL');
  other.exec('rollback');

  const doctor = await runDragoman(['doctor'], { home });
  expect(doctor.stdout).toMatch(
    /FAIL +server +not running; usage of about \d model calls? is kept in the data folder until a server starts on it/,
  );
  const second = await serveDragoman([], { home });
  const usage = await fetch(`${second.url}/api/usage?by=model`, {
    headers: { authorization: `Bearer ${second.token}` },
  });
  expect(await usage.json()).toMatchObject({ rows: [{ key: 'fake/m', calls: doors.length }] });
  expect((await runDragoman(['doctor'], { home })).stdout).not.toContain('data folder until');
});

/** Makes a streamed call and reads it to its end. */
async function ask({ url, token }: RunningDragoman, path: string): Promise<void> {
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', stream: true, messages, input: 'hi', message: 'hi', max_tokens: 10 }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
}
