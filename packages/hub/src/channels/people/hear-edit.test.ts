import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openChatDoor } from './chat-door.fixture.ts';

for (const engine of STORE_ENGINES) {
  test(`${engine}: who changes a message that was a prompt is told once that the agent does not see it`, async () => {
    const door = await openChatDoor({ engine });
    await door.runner({ isShared: true });
    const boss = await door.bound(door.owner, 'boss');
    await boss.say('/new scribe /code/app');
    await boss.say('Paint it red.', { messageId: 'm-1' });
    await boss.say('/help', { messageId: 'm-2' });
    const before = (await boss.notes()).length;
    const edit = (messageId: string, text: string) =>
      boss.tell({ type: 'edited', id: `edited ${messageId}`, messageId, text });

    // A preview of a link, a command, and a message that nobody heard.
    await edit('m-1', 'Paint it red.');
    await edit('m-2', '/stop');
    await edit('m-3', 'What?');
    expect(await boss.notes()).toHaveLength(before);
    await edit('m-1', 'Paint it blue.');
    await edit('m-1', 'Paint it green.');

    expect((await boss.notes()).slice(before)).toEqual([
      { text: 'The agent doesn’t see edits. Send your message again.', replyTo: 'm-1' },
    ]);
  });

  test(`${engine}: who is known and lets the bot in again is told nothing for that`, async () => {
    const door = await openChatDoor({ engine });
    const boss = await door.bound(door.owner, 'boss');
    const before = (await boss.notes()).length;

    await boss.tell({ type: 'left', id: 'left' });
    await boss.tell({ type: 'joined', id: 'joined' });

    expect(await boss.notes()).toHaveLength(before);
    expect(await boss.chat()).toMatchObject({ state: 'open', problem: null });
  });
}
