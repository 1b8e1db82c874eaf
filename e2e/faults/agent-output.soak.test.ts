import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshLocation, isSoak, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { blocksOf, type HubServer, serveHub, turnsOver } from '../hub.fixture.ts';
import { counted, upTo } from '../two-hubs.fixture.ts';

const SIZE = isSoak() ? { lines: 100_000, messages: 30_000 } : { lines: 5_000, messages: 500 };
const MB = 1024 * 1024;

/** The messages of a UAP agent whose text is printed by a command, around which it says that a turn begins and ends. */
const uap = (says: string) => `read -r start; echo '{"type":"ready"}'
while read -r prompt; do
${says}
echo '{"type":"turn-finished"}'
done`;

/** What agents of the test say, each in the words of a shell. */
const AGENTS: Record<string, ['text' | 'uap', string]> = {
  lines: ['text', `seq 1 ${SIZE.lines}`],
  messages: ['uap', uap(`seq -f '{"role":"assistant","content":[{"type":"text","text":"%.0f"}]}' 1 ${SIZE.messages}`)],
  'long line': [
    'uap',
    uap(`printf '{"role":"assistant","content":[{"type":"text","text":"'
head -c ${10 * MB} /dev/zero | tr '\\0' x
echo '"}]}'`),
  ],
  'long text': ['text', `head -c ${5 * MB} /dev/zero | tr '\\0' x`],
  'odd bytes': ['text', String.raw`printf 'a\0b \377\376 \355\240\200 c\n'`],
  'odd words': [
    'uap',
    uap(String.raw`echo '{"role":"assistant","content":[{"type":"text","text":"a\u0000b \ud800 c"}]}'`),
  ],
};

async function serveAgents(env: Record<string, string> = {}): Promise<HubServer> {
  const folder = tempFolder();
  const agents: Record<string, object> = {};
  for (const [name, [backend, script]] of Object.entries(AGENTS)) {
    const file = join(folder, `${name.replace(' ', '-')}.sh`);
    writeFileSync(file, script);
    agents[name.replace(' ', '-')] = { backend, command: ['/bin/sh', file] };
  }
  return serveHub({ agents }, { env });
}

/** The session of an agent once it has said all it says. */
async function said({ owner }: HubServer, agent: string) {
  const { id } = await owner.createSession({ agent, folder: tempFolder(), prompt: { text: 'go' } });
  return { id, view: await turnsOver(owner, id) };
}

test('what an agent says at once arrives whole and in order: very many lines, very many messages; of one very long message the beginning', async () => {
  const server = await serveAgents();

  const lines = await said(server, 'lines');
  expect(counted(lines.view).join('\n').trimEnd()).toBe(upTo(SIZE.lines).join('\n'));
  const messages = await said(server, 'messages');
  expect(counted(messages.view)).toEqual(upTo(SIZE.messages));
  const long = await said(server, 'long-line');
  // So much of one block is kept; that there was more is shown.
  expect(counted(long.view)).toEqual([`${'x'.repeat(1_000_000)}\n…`]);
  expect([lines, messages, long].map(({ view }) => view.turn!.reason)).toEqual(['done', 'done', 'done']);

  const tooLong = await said(server, 'long-text');
  expect(tooLong.view.turn!.reason).toBe('limit');
});

test.for(STORE_ENGINES)(
  'bytes that are no text and characters that no database takes are kept or told of, and the session goes on: %s',
  async (engine) => {
    const { databaseUrl } = await freshLocation(engine);
    const server = await serveAgents(databaseUrl === undefined ? {} : { DRAGOMAN_DATABASE_URL: databaseUrl });
    for (const agent of ['odd-bytes', 'odd-words']) {
      const { id, view } = await said(server, agent);
      expect([view.turn!.reason, blocksOf(view).length]).toEqual(['done', 2]);
      expect(counted(view)[0]).toMatch(/^a.?b .* c\n?$/);
      await server.owner.sendPrompt({ sessionId: id, text: 'a\u0000b \uD800 c' });
      const again = await turnsOver(server.owner, id, 2);
      expect(again.turns.map(({ reason }) => reason)).toEqual(['done', 'done']);
    }
  },
);
