import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient, foldHubEvents, type HubClient, type LoggedHubEvent } from '@dragoman/protocol';
import { isSoak, runDragoman, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countingHome, startCounting } from '../counting-home.fixture.ts';
import { serveHub, turnsOver } from '../hub.fixture.ts';
import { counted, follow, upTo, wholeView } from '../two-hubs.fixture.ts';

const READERS = isSoak() ? { all: 100, leaving: 40, blocks: 2_000 } : { all: 10, leaving: 4, blocks: 100 };

/** Reads until the turn is over, and leaves meanwhile, each time when it has heard of so many events more. */
async function read(client: HubClient, sessionId: string, leaves: readonly number[]): Promise<LoggedHubEvent[]> {
  const heard: LoggedHubEvent[] = [];
  for (const more of [...leaves, Infinity]) {
    const leaving = new AbortController();
    const until = heard.length + more;
    await client.followSession(sessionId, {
      after: heard.at(-1)?.seq ?? 0,
      signal: leaving.signal,
      onEvents(events) {
        if (leaving.signal.aborted) return;
        heard.push(...events);
        const isOver = events.some(({ event }) => event.type === 'turn-finished');
        if (heard.length >= until || isOver) leaving.abort();
      },
    });
    if (heard.some(({ event }) => event.type === 'turn-finished')) return heard;
  }
  return heard;
}

test('of many readers who follow one session, and who leave and come back at any moment, each hears everything once', async () => {
  const server = await serveHub(undefined, { home: countingHome() });
  const { blocks, all, leaving } = READERS;
  const sessionId = await startCounting(server.owner, { blocks, everyMs: 2 });
  const leaves = fc.sample(fc.array(fc.nat({ max: blocks }), { minLength: 1, maxLength: 5 }), leaving);
  const reading = Array.from({ length: all }, (_, index) =>
    read(createHubClient({ url: server.url, token: server.token }), sessionId, leaves[index] ?? []),
  );

  const heard = await Promise.all(reading);

  const whole = await wholeView(server.owner, sessionId);
  expect(counted(whole)).toEqual(upTo(blocks));
  for (const events of heard) {
    const numbers = events.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    expect(foldHubEvents(events)).toEqual(whole);
  }
});

test('a reader whose token is revoked is told so and sent away, and so is whoever comes with it later', async () => {
  const home = countingHome();
  const { url, owner } = await serveHub(undefined, { home });
  const sessionId = await startCounting(owner, { blocks: 2, askBefore: [2] });
  const token = (await runDragoman(['token', 'create', 'laptop', '--role', 'viewer'], { home })).stdout.trim();
  const client = createHubClient({ url, token });
  let isLive = false;
  const following = client.followSession(sessionId, {
    onEvents: () => {},
    onState: ({ type }) => (isLive ||= type === 'live'),
  });
  following.catch(() => {}); // Looked at below.
  await expect.poll(() => isLive).toBe(true);

  await runDragoman(['token', 'revoke', 'laptop'], { home });

  const refusal = {
    code: 'unauthenticated',
    message: expect.stringMatching(/was revoked on \d{4}-\d\d-\d\d/) as string,
  };
  await expect(following).rejects.toMatchObject(refusal);
  await expect(client.listSessions()).rejects.toMatchObject(refusal);
});

const CROWD = isSoak()
  ? { sessions: 200, readers: 100, prompts: 10, messages: 20 }
  : { sessions: 8, readers: 4, prompts: 3, messages: 20 };

/** Counts on with every prompt. It is small, so that there can be many. */
const SMALL_AGENT = `
read -r start
echo '{"type":"ready"}'
count=0
while read -r prompt; do
  last=$((count + ${CROWD.messages}))
  while [ $count -lt $last ]; do
    count=$((count + 1))
    echo '{"role":"assistant","content":[{"type":"text","text":"'$count'"}]}'
  done
  echo '{"type":"turn-finished"}'
done
`;

test('of many sessions at work at once every message is there, in order, and is seen by who reads', async () => {
  const file = join(tempFolder(), 'agent.sh');
  writeFileSync(file, SMALL_AGENT);
  const server = await serveHub({ agents: { counter: { backend: 'uap', command: ['/bin/sh', file] } } });
  const ids = await Promise.all(
    Array.from({ length: CROWD.sessions }, async () => {
      const { id } = await server.owner.createSession({ agent: 'counter', folder: tempFolder() });
      return id;
    }),
  );
  const readers = ids
    .slice(0, CROWD.readers)
    .map((id) => ({ id, reader: follow(createHubClient({ url: server.url, token: server.token }), id) }));

  for (let prompt = 1; prompt <= CROWD.prompts; prompt++)
    await Promise.all(ids.map((sessionId) => server.owner.sendPrompt({ sessionId, text: 'go on' })));

  const expected = upTo(CROWD.prompts * CROWD.messages);
  for (const id of ids) expect(counted(await turnsOver(server.owner, id, CROWD.prompts))).toEqual(expected);
  for (const { id, reader } of readers) {
    const whole = await wholeView(server.owner, id);
    await expect.poll(() => reader.view).toEqual(whole);
  }
});
