import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCallBook } from '@dragoman/gateway/model';
import { newId } from '@dragoman/protocol';
import { openStore } from '@dragoman/server';
import {
  type FakeProvider,
  fakeEmbeddings,
  freshLocation,
  startFakeProvider,
  STORE_ENGINES,
  tempFolder,
} from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { codeEmbedder } from './code-embedder.ts';
import { lazyContext } from './lazy-context.ts';
import { dragomanConfigSchema, roomMigrations } from './rooms.ts';

const OWNER = { userId: newId('usr'), userName: 'ada' };
/** A model of 48 numbers for which a letter is mail, and retrying is perseverance. */
const MEANINGS = fakeEmbeddings({
  vectorOf: (text) =>
    Array.from({ length: 48 }, (_, at) => {
      if (/letter|mail|correspondence/i.test(text)) return at % 2 === 0 ? 1 : -1;
      return /retry|perseverance/i.test(text) ? (at % 4 < 2 ? 1 : -1) : 0.01;
    }),
});

function configOf(fake: FakeProvider, retrieval: object) {
  const local = { type: 'openai-chat' as const, baseUrl: `${fake.url}/v1`, apiKey: 'key-of-the-provider' };
  return dragomanConfigSchema.parse({ providers: { local }, retrieval });
}

test('texts go to the model that is configured by then, and the calls are noted as those of the index', async () => {
  const fake = await startFakeProvider();
  fake.answer(MEANINGS);
  let config = configOf(fake, {});
  const book = openCallBook({});
  const noted: unknown[] = [];
  book.calls.listen((json) => noted.push(JSON.parse(json)));
  const embedder = codeEmbedder(
    () => config,
    () => ({ book, owner: OWNER }),
  );
  onTestFinished(() => embedder.close());

  expect(embedder.current()).toBeUndefined();
  config = configOf(fake, { embedding: { model: 'local/embed-1' } });
  expect(embedder.current()!.space).toBe('local/embed-1');
  config = configOf(fake, { embedding: { model: 'local/embed-1', dimensions: 8 } });
  const { space, embed } = embedder.current()!;
  expect(space).toBe('local/embed-1 8');

  const [vector] = await embed(['a letter', `token = "ghp_${'a'.repeat(36)}"`]);

  expect(vector).toHaveLength(8);
  expect(fake.requests).toMatchObject([
    {
      path: '/v1/embeddings',
      body: { model: 'embed-1', dimensions: 8, input: ['a letter', 'token = "[GITHUB_TOKEN_REDACTED]"'] },
    },
  ]);
  expect(noted).toMatchObject([
    { userName: 'ada', tokenName: 'index', dialect: 'embeddings', target: 'local/embed-1', redactions: 1 },
  ]);
});

test.each(STORE_ENGINES)(
  'code is found by the meaning that a provider knows, by words when it is down, and by its vectors again (%s)',
  async (engine) => {
    const fake = await startFakeProvider();
    fake.answer(MEANINGS);
    const store = await openStore(await freshLocation(engine, roomMigrations), {
      rooms: roomMigrations,
      onIdleError: () => {},
    });
    onTestFinished(() => store.close());
    let config = configOf(fake, { embedding: { model: 'local/embed-1' } });
    const warnings: string[] = [];
    const log = {
      trace() {},
      debug() {},
      warn: (facts: object, message: string) => void warnings.push(`${message}: ${JSON.stringify(facts)}`),
      error() {},
    };
    const lazy = lazyContext({
      store,
      folder: tempFolder(),
      config: () => config,
      log,
      watch: false,
      calls: () => undefined,
    });
    onTestFinished(() => lazy.close());
    const root = realpathSync(tempFolder());
    writeFileSync(join(root, 'letter.ts'), 'export function dispatch(to: string) {\n  return to;\n}\n');
    writeFileSync(join(root, 'retry.ts'), 'export function pause(times: number) {\n  return times;\n}\n');
    const context = await lazy.open();
    const ask = async (query: string) =>
      (await context.searchIn(OWNER.userId, root).search({ query, limit: 5 })).map(({ path }) => path);

    // Waits until all is indexed: a question has two seconds for its vector, and loading what asks for it is not to count.
    await context.searchIn(OWNER.userId, root).findSymbol('dispatch', 1);
    expect((await ask('where does correspondence leave'))[0]).toBe('letter.ts');
    expect((await ask('how much perseverance there is'))[0]).toBe('retry.ts');

    fake.answer({ status: 401, body: '{"error":{"message":"key-of-the-provider was revoked"}}' });
    expect((await ask('which function dispatches'))[0]).toBe('letter.ts');
    expect(warnings).toEqual([
      'the vector of a question could not be had; it is answered by words alone: {"vectors":"local/embed-1","reason":"local/embed-1 could not create embeddings: The provider \\"local\\" answered 401: [REDACTED] was revoked. Check its key."}',
    ]);

    fake.answer(MEANINGS);
    config = configOf(fake, { embedding: { model: 'local/embed-1', dimensions: 16 } });
    expect((await ask('where does correspondence leave'))[0]).toBe('letter.ts');
    config = configOf(fake, {});
    const asked = fake.requests.length;
    expect((await ask('which function dispatches'))[0]).toBe('letter.ts');
    expect(fake.requests).toHaveLength(asked);
  },
);
