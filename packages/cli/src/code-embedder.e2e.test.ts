import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeEmbeddings, runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { codeBase } from './code-base.fixture.ts';

/** Shares no word with the file that is meant. */
const QUESTION = 'how much perseverance there is';

/** Files about retrying, and questions about perseverance, lie in one direction. */
const MEANING = fakeEmbeddings({
  vectorOf: (text) => Array.from({ length: 48 }, (_, at) => (/retr|perseverance/i.test(text) && at % 2 === 0 ? 1 : -1)),
});

function homeWith(providerUrl: string): string {
  const home = tempFolder();
  const provider = { type: 'openai-chat', baseUrl: `${providerUrl}/v1`, apiKey: 'key-of-the-provider' };
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({ providers: { local: provider }, retrieval: { embedding: { model: 'local/embed-1' } } }),
  );
  return home;
}

test('a command asks the embedding model that is configured, and only for what it does not know yet', async () => {
  const fake = await startFakeProvider();
  fake.answer(MEANING);
  const [cwd, home] = [codeBase(), homeWith(fake.url)];

  const found = await runDragoman(['search', QUESTION, '--limit', '1', '--json'], { home, cwd });
  expect(found).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(found.stdout)).toMatchObject({ results: [{ path: 'src/retry.ts' }] });
  const asked = fake.requests.length;

  const again = await runDragoman(['search', QUESTION, '--limit', '1', '--json'], { home, cwd });
  expect(again.stdout).toBe(found.stdout);
  expect(fake.requests.slice(asked).map(({ body }) => body['input'])).toEqual([[QUESTION]]); // What was indexed stays.

  const doctor = await runDragoman(['doctor', '--json'], { home, cwd });
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    settings: expect.arrayContaining([
      expect.objectContaining({ setting: 'retrieval.embedding.model', value: '"local/embed-1"' }),
    ]) as object[],
  });
});

test('files that were indexed while the provider failed get their vectors with the next index', async () => {
  const fake = await startFakeProvider();
  const [cwd, home] = [codeBase(), homeWith(fake.url)];
  const find = async () => {
    const { stdout } = await runDragoman(['search', QUESTION, '--limit', '1', '--json'], { home, cwd });
    return (JSON.parse(stdout) as { results: { path: string }[] }).results.map(({ path }) => path);
  };
  fake.answer({ status: 401, body: '{"error":{"message":"who are you?"}}' });
  const failed = await runDragoman(['index'], { home, cwd });
  expect(failed).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(
      'code has no vectors yet; words alone find it until the provider answers (local/embed-1 could not create embeddings: ',
    ) as string,
  });

  fake.answer(MEANING);
  expect(await find()).toEqual([]);
  expect(await runDragoman(['index'], { home, cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await find()).toEqual(['src/retry.ts']);
});
