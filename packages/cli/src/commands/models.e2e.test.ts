import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

async function homeWithProvider() {
  const fake = await startFakeProvider();
  const home = tempFolder();
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({
      providers: { near: { type: 'openai-chat', baseUrl: `${fake.url}/v1`, apiKey: 'k', models: ['small'] } },
      routes: { default: ['near/small', 'offline/offline'] },
    }),
  );
  return { fake, home };
}

test('the models that clients can ask for are listed with what serves them', async () => {
  const { home } = await homeWithProvider();

  const { stdout } = await runDragoman(['models'], { home });

  expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'model served by',
    'default near/small, then offline/offline',
    'offline/offline offline/offline',
    'near/small near/small',
    '',
  ]);
});

test('a test asks each one for real, and fails when one does', async () => {
  const { fake, home } = await homeWithProvider();
  fake.answer({
    body: ['data: {"choices":[{"delta":{"content":"ready"},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'],
  });

  const good = await runDragoman(['models', 'default', '--test', '--json'], { home });
  expect(good.exitCode).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject([{ name: 'default', test: { isWell: true, says: 'ready' } }]);

  fake.answer({ status: 401, body: '{"error":{"message":"bad key"}}' });
  const bad = await runDragoman(['models', 'near/small', '--test'], { home });
  expect(bad.exitCode).toBe(1);
  expect(bad.stdout).toContain('FAILED');
  expect(bad.stdout).toContain('The provider "near" answered 401: bad key');
});

test('a name that is not there says which are', async () => {
  const { home } = await homeWithProvider();

  const { exitCode, stderr } = await runDragoman(['models', 'tiny'], { home });

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    'dragoman: There is no model named "tiny". Available models: default, offline/offline, near/small.\n',
  );
});

test('prices are shown with who says so, and what nobody knows is unknown', async () => {
  const home = tempFolder();
  const providers = {
    openai: { type: 'openai-chat', models: ['gpt-5', 'gpt-unheard-of'] },
    near: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', models: ['gpt-5'] },
    own: {
      type: 'openai-chat',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: ['m'],
      prices: { m: { input: 1, output: 2 } },
    },
  };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers }));

  const { stdout } = await runDragoman(['models', '--prices', '--json'], { home });

  expect(JSON.parse(stdout)).toEqual([
    { name: 'offline/offline', target: 'offline/offline', price: { input: 0, output: 0 }, from: 'offline' },
    {
      name: 'openai/gpt-5',
      target: 'openai/gpt-5',
      price: { input: 1.25, output: 10, cacheRead: 0.125 },
      from: 'built-in',
      asOf: '2026-08-08',
      source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
    },
    { name: 'openai/gpt-unheard-of', target: 'openai/gpt-unheard-of', price: null, from: 'unknown' },
    { name: 'near/gpt-5', target: 'near/gpt-5', price: null, from: 'unknown' },
    { name: 'own/m', target: 'own/m', price: { input: 1, output: 2 }, from: 'configured' },
  ]);
});
