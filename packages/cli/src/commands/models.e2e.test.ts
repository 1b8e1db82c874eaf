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
    'dragoman: There is no model named "tiny" here. Ask for one of: default, offline/offline, near/small.\n',
  );
});
