import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { chunk, says } from './chat-answer.fixture.ts';

/** Each answer uses 110 tokens. */
async function homeWithBudget(budget: object) {
  const fake = await startFakeProvider();
  fake.answer(says('done'));
  const home = tempFolder();
  const providers = { fake: { type: 'openai-chat', baseUrl: `${fake.url}/v1`, apiKey: 'k' } };
  const budgets = [{ per: 'month', ...budget }];
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers, routes: { default: ['fake/m'] }, budgets }));
  return { fake, home };
}

function ask({ url, token }: RunningDragoman): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });
}

test('a server that is killed after every call gives no call away', async () => {
  const { fake, home } = await homeWithBudget({ tokens: 300 });
  const answers: number[] = [];
  for (let round = 0; round < 4; round++) {
    const server = await serveDragoman([], { home });
    const answer = await ask(server);
    await answer.text();
    await server.stop('SIGKILL');
    answers.push(answer.status);
  }
  expect(answers).toEqual([200, 200, 200, 402]);
  expect(fake.requests).toHaveLength(3);
});

test('a call that was running when the server was killed has been made', async () => {
  const { fake, home } = await homeWithBudget({ requests: 1 });
  const never = new Promise(() => {});
  fake.answer({ body: [chunk({ role: 'assistant', content: 'wait' }), never] });
  const server = await serveDragoman([], { home });
  const running = await ask(server);
  await running.body!.getReader().read();
  await server.stop('SIGKILL');

  const next = await serveDragoman([], { home });
  expect((await ask(next)).status).toBe(402);
});
