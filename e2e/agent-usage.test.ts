import { type ConsoleClient, createConsoleClient, type RequestInfo } from '@dragoman/protocol/console';
import { runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { calls, type HubServer, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

const PROMPT = 'the password of the harbour is heron';
const ANSWER = 'herons fish at dawn';

const OF_AGENT = { userName: 'owner', tokenName: 'native', dialect: 'agent' };

/** What the console is told of the server's calls while they end. */
async function watch({ url, token }: HubServer) {
  const ending = new AbortController();
  const client: ConsoleClient = createConsoleClient({ url, token, signal: ending.signal });
  const live = Promise.withResolvers<void>();
  const told: RequestInfo[] = [];
  const following = client.followRequests({
    signal: ending.signal,
    onState: ({ type }) => type === 'live' && live.resolve(),
    onRequest: (request) => told.push(request),
  });
  onTestFinished(async () => {
    ending.abort();
    await following;
  });
  await live.promise;
  return { client, told };
}

test('what agents ask of models is in usage, in the log of requests and live, without what was said', async () => {
  const fake = await startFakeProvider();
  fake.answer(calls('read', { filePath: 'notes.txt' }), says(ANSWER));
  const server = await serveHub({ ...scripted(fake.url), agents: { talk: { backend: 'chat', title: 'Talk' } } });
  const { owner } = server;
  const { client, told } = await watch(server);
  const folder = projectWith({ 'notes.txt': 'secret of the lighthouse' });

  const native = await owner.createSession({ agent: 'native', folder, prompt: { text: PROMPT } });
  await turnsOver(owner, native.id);
  const chat = await owner.createSession({ agent: 'talk', folder, prompt: { text: PROMPT } });
  await turnsOver(owner, chat.id);

  await expect.poll(() => told).toHaveLength(3);
  const call = {
    userName: 'owner',
    dialect: 'agent',
    route: 'default',
    target: 'scripted/test-model',
    isStreamed: true,
    inputTokens: 10,
    outputTokens: 5,
    attempts: 1,
  };
  expect(told).toMatchObject([
    { ...call, tokenName: 'native', finishReason: 'tool-calls' },
    { ...call, tokenName: 'native', finishReason: 'stop' },
    { ...call, tokenName: 'talk', finishReason: 'stop' },
  ]);
  const { requests } = await client.listRequests({});
  expect(requests).toEqual(told.toReversed());
  const sum = { calls: 3, errors: 0, inputTokens: 30, outputTokens: 15 };
  expect((await client.readUsage({ by: 'day' })).rows).toMatchObject([sum]);
  expect((await client.readUsage({ by: 'model' })).rows).toMatchObject([{ key: 'scripted/test-model', ...sum }]);
  expect((await client.readUsage({ by: 'token' })).rows).toMatchObject([
    { key: 'owner/native', calls: 2 },
    { key: 'owner/talk', calls: 1 },
  ]);
  const { providers } = await client.readGateway();
  expect(providers[0]).toMatchObject({ name: 'scripted', lastSuccessAt: told[2]!.at });
  for (const said of [PROMPT, ANSWER, 'lighthouse']) expect(JSON.stringify([told, requests])).not.toContain(said);
});

test('a provider that fails an agent is shown with its last error', async () => {
  const fake = await startFakeProvider();
  fake.answer({ status: 401, body: '{"error":{"message":"this key is not known"}}' });
  const server = await serveHub(scripted(fake.url));
  const { client, told } = await watch(server);

  const { id } = await server.owner.createSession({
    agent: 'native',
    folder: tempFolder(),
    prompt: { text: PROMPT },
  });
  await turnsOver(server.owner, id);

  await expect.poll(() => told).toMatchObject([{ tokenName: 'native', finishReason: 'error', errorCode: 'forbidden' }]);
  expect((await client.readGateway()).providers[0]).toMatchObject({
    name: 'scripted',
    lastError: { at: told[0]!.at, code: 'forbidden' },
  });
  expect((await client.readUsage({ by: 'token' })).rows).toMatchObject([{ key: 'owner/native', calls: 1, errors: 1 }]);
});

test('calls that end with the server, and those of a command on the same data, are kept', async () => {
  const fake = await startFakeProvider();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  fake.answer(says('herons ', held.promise), says(ANSWER));
  const home = tempFolder();
  const first = await serveHub(scripted(fake.url), { home });
  await first.owner.createSession({ agent: 'native', folder: tempFolder(), prompt: { text: PROMPT } });
  await fake.request(1);
  await first.stop('SIGINT'); // Which ends the agents too.

  const { stdout } = await runDragoman(['run', '--model', 'scripted/test-model', PROMPT], { home, cwd: tempFolder() });
  expect(stdout).toContain(ANSWER);

  const { client } = await watch(await serveHub(scripted(fake.url), { home }));
  const { requests } = await client.listRequests({});
  expect(requests).toContainEqual(
    expect.objectContaining({ ...OF_AGENT, route: 'default', finishReason: 'cancelled' }),
  );
  expect(requests).toContainEqual(
    expect.objectContaining({ ...OF_AGENT, route: 'scripted/test-model', finishReason: 'stop' }),
  );
});

test('the model names a session, which counts like any call, and not one that a person has named', async () => {
  const fake = await startFakeProvider();
  fake.answer(says(ANSWER));
  fake.answerTitles(says('"Password of the harbour."'));
  const server = await serveHub({ ...scripted(fake.url), agent: {} });
  const { owner } = server;
  const { told } = await watch(server);
  const prompt = { text: PROMPT };

  const plain = await owner.createSession({ agent: 'native', folder: tempFolder(), prompt });
  expect(plain.title).toBe(PROMPT);
  const titleOf = async (sessionId: string) => (await owner.getSession({ sessionId })).title;
  await expect.poll(() => titleOf(plain.id)).toBe('Password of the harbour');
  await expect.poll(() => told).toHaveLength(2);
  expect(told).toMatchObject([OF_AGENT, OF_AGENT]);

  const named = await owner.createSession({ agent: 'native', folder: tempFolder(), prompt, title: 'Mine' });
  await turnsOver(owner, named.id);
  await expect.poll(() => told).toHaveLength(3);
  expect(await titleOf(named.id)).toBe('Mine');
  expect(fake.titleRequests).toHaveLength(1);
  expect(fake.requests).toHaveLength(2);
});

test('dragoman run leaves a session that the model has named', async () => {
  const fake = await startFakeProvider();
  fake.answer(says(ANSWER));
  fake.answerTitles(says('Password of the harbour'));
  const home = tempFolder();
  const server = await serveHub({ ...scripted(fake.url), agent: {} }, { home });
  const run = await runDragoman(['run', PROMPT], { home, cwd: projectWith({}) });

  expect([run.exitCode, run.stdout.includes(ANSWER)]).toEqual([0, true]);
  await expect
    .poll(async () => (await server.owner.listSessions()).sessions.map(({ title }) => title))
    .toEqual(['Password of the harbour']);
});
