import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked } from '../../hub-door.fixture.ts';
import type { HubTables } from '../../hub-tables.ts';
import { openChatDoor } from './chat-door.fixture.ts';

/** A person whose chat shows a session in the middle of a turn. */
async function openTurn(options: Parameters<typeof openChatDoor>[0] = {}, language: 'en' | 'zh' = 'en') {
  const door = await openChatDoor(options);
  const runner = await door.runner({ isShared: true });
  const chatter = await door.bound(door.owner, 'boss', language);
  await chatter.say('/new scribe /code/app\ntest it');
  const prompt = await runner.command('prompt');
  const sessionId = prompt.session.sessionId;
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't', promptId: prompt.command.prompt.id }], prompt);
  return { door, runner, chatter, sessionId };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: UAP-33 a button decides an approval as who pressed it, and who comes later is told who was first`, async () => {
    const { door, runner, chatter, sessionId } = await openTurn({ engine });
    const ada = await door.bound(await door.person('ada'), 'ada', 'zh');
    await ada.say(`/switch ${sessionId}`);
    await runner.say(sessionId, [approvalAsked('a-1')]);
    await door.shown(ada.chatId, ({ key }) => key === 'approval a-1');

    expect(await chatter.press('Allow once')).toEqual({ text: 'Allow once, by owner (slate)', isRefused: false });
    expect(await ada.press('Reject')).toEqual({ text: '已经回答过了：允许一次 · owner（slate）', isRefused: true });

    expect((await runner.command('answer')).command).toMatchObject({
      approvalId: 'a-1',
      reply: { type: 'selected', optionId: 'yes' },
    });
    const { events } = await door.owner.client.readLog({ sessionId });
    expect(events.flatMap(({ event }) => (event.type === 'approval-decided' ? [event.by] : []))).toEqual([
      { type: 'user', userId: door.owner.caller.userId, name: 'owner', channel: 'slate' },
    ]);
    await door.shown(ada.chatId, ({ text }) => text === 'Run npm test (decided)');
  });

  test(`${engine}: a button that has gone with the decision still tells who decided what [UAP-33]`, async () => {
    const { door, runner, chatter, sessionId } = await openTurn({ engine });
    await runner.say(sessionId, [approvalAsked('a-1')]);
    const { buttons } = await door.shown(chatter.chatId, ({ key }) => key === 'approval a-1');
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' });
    await door.shown(chatter.chatId, ({ text }) => text === 'Run npm test (decided)');

    expect(await chatter.tell({ type: 'press', action: buttons[0]!.data })).toEqual({
      text: 'Already answered: Allow once, by owner (api)',
      isRefused: true,
    });
  });

  test(`${engine}: a press of a stranger, in another chat, or of a button that is gone does nothing`, async () => {
    const { door, runner, chatter, sessionId } = await openTurn({ engine });
    await runner.say(sessionId, [approvalAsked('a-1')]);
    const { buttons } = await door.shown(chatter.chatId, ({ key }) => key === 'approval a-1');
    const action = buttons[0]!.data;
    const ada = await door.bound(await door.person('ada'));

    const stranger = door.chatter('nobody', { chatId: chatter.chatId });
    expect(await stranger.tell({ type: 'press', action })).toEqual({
      text: 'I don’t know you yet. Connect your account in the console: Settings → Channels.',
      isRefused: true,
    });
    expect(await ada.tell({ type: 'press', action })).toEqual({
      text: 'This button is out of date.',
      isRefused: true,
    });
    expect(await chatter.tell({ type: 'press', action: 'anything at all' })).toMatchObject({ isRefused: true });
    const unknownGroup = door.chatter('boss', { chatId: 'group-1', kind: 'group' });
    expect(await unknownGroup.tell({ type: 'press', action })).toEqual({
      text: 'This button is out of date.',
      isRefused: true,
    });
    expect(await unknownGroup.chat()).toBeUndefined();

    expect((await door.owner.client.listApprovals()).approvals).toHaveLength(1);
    expect(await chatter.tell({ type: 'press', action, id: 'p-1' })).toMatchObject({ isRefused: false });
    expect(await chatter.tell({ type: 'press', action, id: 'p-1' })).toBeUndefined();
  });

  test(`${engine}: a card that was forwarded and pressed changes nothing of a chat, and a private chat needs nobody to allow it`, async () => {
    const { door, runner, chatter, sessionId } = await openTurn({ engine });
    await runner.say(sessionId, [approvalAsked('a-1')]);
    const { buttons } = await door.shown(chatter.chatId, ({ key }) => key === 'approval a-1');
    const ada = await door.bound(await door.person('ada'));
    const [hers, mine] = [await ada.chat(), await chatter.chat()];

    for (const { chatId } of [ada, chatter]) {
      const forwarded = door.chatter('ada', { chatId, kind: 'group' });
      for (const action of [buttons[0]!.data, 'pst_00000000000000000000000000.0.abcd'])
        await forwarded.tell({ type: 'press', action });
    }
    expect([await ada.chat(), await chatter.chat()]).toEqual([hers, mine]);

    // As an earlier version may have noted it.
    await door.store
      .tables<HubTables>()
      .updateTable('hub_chats')
      .set({ kind: 'group', state: 'asked', account_id: null })
      .where('chat_id', '=', ada.chatId)
      .execute();
    expect(await ada.ask('/stop')).toEqual([expect.stringContaining('No session selected.')]);
    expect(await ada.chat()).toMatchObject({ kind: 'private', state: 'open', account_id: 'ada' });
  });

  test(`${engine}: a question is answered in words, by a form or by a reply to it`, async () => {
    const { door, runner, chatter, sessionId } = await openTurn({ engine });
    const question = { title: 'Which port?', options: [], allowsText: true };
    await runner.say(sessionId, [approvalAsked('q-1', question)]);

    expect(await chatter.press('Answer', '  ')).toEqual({ text: 'Enter an answer first.', isRefused: true });
    expect(await chatter.press('Answer', 'port 80')).toMatchObject({ isRefused: false });
    expect((await runner.command('answer')).command.reply).toEqual({ type: 'selected', optionId: '', text: 'port 80' });

    await runner.say(sessionId, [approvalAsked('q-2', question)]);
    const { messageId } = await door.shown(chatter.chatId, ({ key }) => key === 'approval q-2');
    expect(await chatter.ask('port 81', { replyTo: messageId })).toEqual([]);
    expect((await runner.command('answer')).command.reply).toEqual({ type: 'selected', optionId: '', text: 'port 81' });

    await chatter.say('and a prompt', { replyTo: messageId });
    expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 1 });
  });
}

test('words to a question that takes none are no answer and no prompt, and a command as a reply is about that question', async () => {
  const { door, runner, chatter, sessionId } = await openTurn();
  await runner.say(sessionId, [approvalAsked('a-1'), approvalAsked('a-2', { title: 'Push' })]);
  const { messageId } = await door.shown(chatter.chatId, ({ key }) => key === 'approval a-2');

  expect(await chatter.ask('sure', { replyTo: messageId })).toEqual([
    'The agent doesn’t accept a text answer here. Use the buttons, or send `/approve`, or `/deny` with a reason.',
  ]);
  expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 0, waitingApprovals: 2 });
  expect(await chatter.ask('/deny not on Friday', { replyTo: messageId })).toEqual([
    'Reject \\(“not on Friday”\\)\\, by owner \\(slate\\)',
  ]);
  expect((await runner.command('answer')).command).toMatchObject({
    approvalId: 'a-2',
    reply: { type: 'selected', optionId: 'no', text: 'not on Friday' },
  });
});

test('a reply to a post of another session goes there, and the chat shows it from then on', async () => {
  const { door, runner, chatter, sessionId } = await openTurn();
  const block = { type: 'text' as const, text: 'the answer' };
  await runner.say(sessionId, [
    { type: 'block-stop', messageId: 'm', role: 'assistant', blockId: 'b', block },
    { type: 'turn-finished', turnId: 't', reason: 'done' },
  ]);
  const { messageId } = await door.shown(chatter.chatId, ({ text }) => text.includes('the answer'));
  await chatter.say('/new able /code/other');
  expect((await chatter.chat())!.session_id).not.toBe(sessionId);

  expect(await chatter.ask('thanks', { replyTo: messageId })).toEqual([
    'Your message belongs to **test it**, so this chat now shows it.',
  ]);

  expect((await chatter.chat())!.session_id).toBe(sessionId);
  expect((await runner.command('prompt')).session.sessionId).toBe(sessionId);
});

test('a reply to a post of the bot is for the bot, also where only the store knows that it is one', async () => {
  const { door, runner, chatter, sessionId } = await openTurn();
  const block = { type: 'text' as const, text: 'the answer' };
  await runner.say(sessionId, [
    { type: 'block-stop', messageId: 'm', role: 'assistant', blockId: 'b', block },
    { type: 'turn-finished', turnId: 't', reason: 'done' },
  ]);
  const { messageId } = await door.shown(chatter.chatId, ({ text }) => text.includes('the answer'));

  await chatter.say('to somebody else', { replyTo: 'theirs', isForUs: false });
  await chatter.say('thanks', { replyTo: messageId, isForUs: false });

  expect((await runner.command('prompt')).command.prompt.content).toEqual([{ type: 'text', text: 'thanks' }]);
});

test('a session that is switched to in the middle of a turn is shown from the beginning of that turn', async () => {
  const { door, runner, chatter, sessionId } = await openTurn();
  await runner.say(sessionId, [
    { type: 'block-stop', messageId: 'm', role: 'assistant', blockId: 'b', block: { type: 'text', text: 'so far' } },
  ]);
  const ada = await door.bound(await door.person('ada'));

  await ada.say(`/switch ${sessionId}`);

  await door.shown(ada.chatId, ({ text }) => text.includes('so far'));
  const { events } = await door.owner.client.readLog({ sessionId });
  const began = events.find(({ event }) => event.type === 'turn-started')!;
  expect((await ada.chat())!.from_seq).toBe(began.seq);
  void chatter;
});
