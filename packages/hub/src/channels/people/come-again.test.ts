import { STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ChatDoor, openChatDoor } from './chat-door.fixture.ts';

/** A person in a chat that shows a session, and what takes a table away from the hub and gives it back. */
async function openScene(engine: (typeof STORE_ENGINES)[number]) {
  const door = await openChatDoor({ engine });
  const runner = await door.runner();
  const chatter = await door.bound(door.owner, 'boss');
  await chatter.say('/new able /code/app');
  await runner.command('open');
  const [session] = (await door.owner.client.listSessions({})).sessions;
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(door.store.tables<object>());
  return {
    door,
    chatter,
    sessionId: session!.id,
    take: (table: string) => rename(table, `${table}_away`),
    giveBack: (table: string) => rename(`${table}_away`, table),
  };
}

async function promptsOf({ owner }: ChatDoor, sessionId: string): Promise<unknown[]> {
  const { events } = await owner.client.readLog({ sessionId });
  return events.flatMap(({ event }) => (event.type === 'prompt-queued' ? [event.prompt.content] : []));
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: while the store takes nothing, what is said is refused as often as it comes, and heard once afterwards [UAP-35]`, async () => {
    const { door, chatter, sessionId, take, giveBack } = await openScene(engine);
    const before = (await chatter.notes()).length;
    const tell = () =>
      chatter.tell({ type: 'message', id: 'u-1', messageId: 'm-1', text: 'fix it', files: [], isForUs: true });

    await take('hub_chat_heard');
    for (let attempt = 0; attempt < 8; attempt += 1)
      await expect(tell()).rejects.toMatchObject({ code: 'unavailable', isRetryable: true });
    await giveBack('hub_chat_heard');
    await tell();
    await tell();

    expect(await promptsOf(door, sessionId)).toEqual([[{ type: 'text', text: 'fix it' }]]);
    expect((await chatter.notes()).length).toBe(before);
  });

  test(`${engine}: what fails while the store works comes again twice, and then its sender is told [UAP-35]`, async () => {
    const { door, chatter, sessionId, take, giveBack } = await openScene(engine);
    const before = (await chatter.notes()).length;
    const tell = (id: string) =>
      chatter.tell({ type: 'message', id, messageId: id, text: id, files: [], isForUs: true });

    await take('hub_prompts');
    await expect(tell('passing')).rejects.toMatchObject({ code: 'unavailable', isRetryable: true });
    await giveBack('hub_prompts');
    await tell('passing');
    expect(await promptsOf(door, sessionId)).toEqual([[{ type: 'text', text: 'passing' }]]);

    await take('hub_prompts');
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(tell('lasting')).rejects.toThrow('retrying');
    await tell('lasting');
    await giveBack('hub_prompts');
    expect((await chatter.notes()).slice(before).map(({ text }) => text)).toEqual([
      'Something went wrong on the server. Try again, or see the server log for details.',
    ]);
  });
}
