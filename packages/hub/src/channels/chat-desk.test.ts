import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { approvalAsked } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { said } from '../scripted-runner.fixture.ts';
import { adds, begin, ends, finish, openScene, opens, turn } from './chats.fixture.ts';
import { addNote } from './post-store.ts';
import { SLATE_CHARS } from './slate.fixture.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('UAP-28 a turn is one message that changes while it is said, and is there for good at its end', async () => {
    const { slate, chat, say, reads, posts, until } = await openScene(engine);
    await chat('c');

    await say(begin('t'), opens('b', 'Let'));
    await reads('c', ['Let']);
    await say(adds('b', ' me'), adds('b', ' see.'));
    await reads('c', ['Let me see.']);
    await say(ends('b', 'Let me see.'), finish('t'));
    await reads('c', ['Let me see.\n-- done']);

    expect(slate.messages('c')).toHaveLength(1);
    await until(async () => (await posts('c'))[0]!.state === 'done');
    expect(slate.calls.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'send Let',
      'edit Let me see.',
      'edit Let me see.\n-- done',
    ]);
  });

  test('while the machine of a running turn is away, its message says so, with the time and what can be done', async () => {
    const { slate, chat, say, reads, runner, door } = await openScene(engine);
    await chat('c');
    await chat('d', { language: 'zh' });
    await say(begin('t'), opens('b', 'Let'));
    await reads('c', ['Let']);

    await runner.leave();

    await reads('c', [
      'Let\n! desk went offline at 2027-01-15 08:00 UTC. Send /stop to end the turn, or /move to continue on another machine.',
    ]);
    await reads('d', ['Let\n! desk 于 2027-01-15 08:00 UTC 离线。发送 /停止 结束本轮，或发送 /移动 换一台机器继续。']);
    runner.link = door.hub.link(door.owner.caller);
    await runner.connect();
    await reads('c', ['Let']);
    await reads('d', ['Let']);
    expect(slate.messages('c')).toHaveLength(1);
  });

  test('what does not fit into a message goes on in the next one, in order, and what follows comes behind it', async () => {
    const { slate, chat, say, reads } = await openScene(engine);
    await chat('c');
    const long = 'x'.repeat(SLATE_CHARS) + 'y'.repeat(SLATE_CHARS) + 'z';

    await say(...turn('t1', long), ...turn('t2', 'More.'));

    await reads('c', ['x'.repeat(SLATE_CHARS), 'y'.repeat(SLATE_CHARS), 'z\n-- done', 'More.\n-- done']);
    expect(slate.calls.map(({ type }) => type)).toEqual(['send', 'send', 'send', 'send']);
  });

  test('what was asked in the chat itself is not repeated there; the answer answers that message', async () => {
    const { slate, door, chat, say, reads, sessionId } = await openScene(engine);
    await chat('c');
    await chat('d');
    await door.store
      .tables<HubTables>()
      .insertInto('hub_chat_prompts')
      .values({ channel: 'slate', chat_id: 'c', session_id: sessionId, prompt_id: 'p-1', message_id: 'their-7' })
      .execute();
    await door.owner.client.sendPrompt({ sessionId, id: 'p-1', text: 'Look!' });

    await say({ type: 'turn-started', turnId: 't', promptId: 'p-1' }, said('I see.'), finish('t'));

    await reads('c', ['I see.\n-- done']);
    await reads('d', ['> Look!\nI see.\n-- done']);
    expect(slate.messages('c')[0]!.replyTo).toBe('their-7');
    expect(slate.messages('d')[0]!.replyTo).toBeUndefined();
  });

  test('a chat is written to at its pace, and then with the newest', async () => {
    const { slate, clock, chat, say, reads } = await openScene(engine);
    await chat('c');
    await say(begin('t'), opens('b', '1'));
    await reads('c', ['1']);
    const before = slate.calls.length;

    for (const text of ['2', '3', '4']) await say(adds('b', text));
    await clock.settled();
    expect(slate.calls).toHaveLength(before);
    clock.advance(slate.paceMs);
    await clock.settled();

    expect(slate.texts('c')).toEqual(['1234']);
    expect(slate.calls).toHaveLength(before + 1);
  });

  test('notes are said in their order, once, before what a session has to say', async () => {
    const { slate, door, chat, say, reads, until, posts } = await openScene(engine);
    const db = door.store.tables<HubTables>();
    const place = { channel: 'slate', chatId: 'c' };
    await say(...turn('t', 'Said.'));
    await addNote(db, place, { text: 'one' }, 1);
    await addNote(db, place, { text: 'two', replyTo: 'their-1' }, 2);
    await chat('c');

    await reads('c', ['one', 'two', 'Said.\n-- done']);

    expect(slate.messages('c')[1]!.replyTo).toBe('their-1');
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
  });

  test('text that is only there for the moment stays before something is sent behind it, and at its end', async () => {
    const { slate, chat, say, reads, until } = await openScene(engine);
    slate.hasDrafts = true;
    await chat('c');
    await say(begin('t1'), opens('a', 'First'));
    await until(() => slate.drafts.get('c') === 'First');
    expect(slate.texts('c')).toEqual([]);

    await say(ends('a', 'First.'), finish('t1'), begin('t2'), opens('b', 'Second'));
    await reads('c', ['First.\n-- done']);
    await until(() => slate.drafts.get('c') === 'Second');
    await say(finish('t2'));

    await reads('c', ['First.\n-- done', 'Second\n-- done']);
  });

  test('a chat that shows another session begins nothing of the first, and brings to its end what was begun', async () => {
    const { slate, door, chat, change, say, reads, runner } = await openScene(engine);
    const { id: other } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Other' });
    await chat('c');
    await say(begin('t1'), opens('a', 'Begun'));
    await reads('c', ['Begun']);

    await change('c', { session_id: other, from_seq: 0 });
    await runner.say(other, turn('t', 'Elsewhere.'));
    await say(ends('a', 'Begun.'), finish('t1'), ...turn('t2', 'Unheard.'));

    await reads('c', ['Begun.\n-- done', 'Elsewhere.\n-- done']);
    await runner.say(other, turn('t3', 'More.'));
    await reads('c', ['Begun.\n-- done', 'Elsewhere.\n-- done', 'More.\n-- done']);
    expect(slate.messages('c')).toHaveLength(3);
  });

  test('a turn that waits for an answer when the chat goes elsewhere is brought to its end there, with the question', async () => {
    const { slate, door, chat, change, say, reads, until, posts, sessionId, runner } = await openScene(engine);
    const { id: other } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Other' });
    const use = { type: 'tool_use' as const, id: 'call-1', name: 'bash', input: {} };
    const result = { type: 'tool_result' as const, tool_use_id: 'call-1', content: 'ok' };
    await chat('c');
    await say(
      begin('t'),
      { type: 'block-stop', messageId: 'm', role: 'assistant', blockId: 'u', block: use },
      approvalAsked('a-1', { toolUseId: 'call-1' }),
    );
    await reads('c', ['[bash Waiting]', '? Run npm test']);

    await change('c', { session_id: other, from_seq: 0 });
    await runner.say(other, turn('t', 'Elsewhere.'));
    await reads('c', ['[bash Waiting]', slate.texts('c')[1]!, 'Elsewhere.\n-- done']);
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' });
    await until(() => slate.texts('c')[0] === '[bash Running]');
    await say(
      { type: 'block-stop', messageId: 'm2', role: 'user', blockId: 'r', block: result },
      said('Done.', 'b'),
      finish('t'),
    );

    const asked = '**The door** asks: Run npm test\n\nAllow once, by owner \\(api\\).';
    await reads('c', ['[bash Success]\nDone.\n-- done', asked, 'Elsewhere.\n-- done']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect(slate.messages('c')).toHaveLength(3);
  });

  test('what was begun is brought to its end as well in a chat that comes back only after the turn is over', async () => {
    const { slate, chat, change, say, reads, until, posts, sessionId } = await openScene(engine);
    await chat('c');
    const long = 'x'.repeat(SLATE_CHARS);
    await say(begin('t'), opens('a', `${long}Begun`));
    await reads('c', [long, 'Begun']);

    await change('c', { session_id: null });
    await say(ends('a', `${long}Begun.`), finish('t'), ...turn('t2', 'Unheard.'));
    await change('c', { session_id: sessionId, from_seq: 1_000 });

    await reads('c', [long, 'Begun.\n-- done']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect(slate.messages('c')).toHaveLength(2);
  });

  test('a chat that is muted says only what was asked for there, and its questions', async () => {
    const { slate, door, chat, change, say, reads, seen, sessionId } = await openScene(engine);
    await chat('c', { is_muted: 1 });
    await door.store
      .tables<HubTables>()
      .insertInto('hub_chat_prompts')
      .values({ channel: 'slate', chat_id: 'c', session_id: sessionId, prompt_id: 'p-1', message_id: 'their-7' })
      .execute();
    await door.owner.client.sendPrompt({ sessionId, id: 'p-1', text: 'Mine' });
    await say(...turn('t0', 'Unasked.'), { type: 'turn-started', turnId: 't1', promptId: 'p-1' }, said('Asked.', 'b1'));
    await reads('c', ['Asked.']);

    await say(finish('t1'), ...turn('t2', 'Unasked, too.'));
    await reads('c', ['Asked.\n-- done']);
    await seen('c');
    await change('c', { is_muted: 0 });
    await say(...turn('t3', 'Loud.'));

    await reads('c', ['Asked.\n-- done', 'Loud.\n-- done']);
    expect(slate.messages('c')).toHaveLength(2);
  });

  test('what a revert takes out of the session is taken back in the chat, also what was there for good', async () => {
    const { slate, door, chat, say, reads, until, posts, sessionId } = await openScene(engine);
    await chat('c');
    for (const id of ['p-1', 'p-2']) await door.owner.client.sendPrompt({ sessionId, id, text: id });
    await say({ type: 'turn-started', turnId: 't1', promptId: 'p-1' }, said('One.', 'b1'), finish('t1'));
    await say({ type: 'turn-started', turnId: 't2', promptId: 'p-2' }, said('Two.', 'b2'), finish('t2'));
    await reads('c', ['> p-1\nOne.\n-- done', '> p-2\nTwo.\n-- done']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));

    await say({ type: 'reverted', messageId: 'p-2', files: [] });

    await reads('c', ['> p-1\nOne.\n-- done', '(taken back)']);
    expect(slate.messages('c')).toHaveLength(2);
  });

  test('what is said between turns, and results that come late, still get into the chat', async () => {
    const { slate, chat, say, reads, until, posts } = await openScene(engine);
    await chat('c');
    const use = { type: 'tool_use' as const, id: 'call-1', name: 'bash', input: {} };
    await say(
      begin('t'),
      { type: 'block-stop', messageId: 'm', role: 'assistant', blockId: 'u', block: use },
      finish('t'),
    );
    await reads('c', ['[bash Interrupted]\n-- done']);
    await say(said('By the way.', 'b1'));
    await reads('c', ['[bash Interrupted]\n-- done', 'By the way.']);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));

    await say(said('And another thing.', 'b2'));
    await reads('c', ['[bash Interrupted]\n-- done', 'By the way.\nAnd another thing.']);
    const result = { type: 'tool_result' as const, tool_use_id: 'call-1', content: 'ok' };
    await say({ type: 'block-stop', messageId: 'm2', role: 'user', blockId: 'r', block: result });

    await reads('c', ['[bash Success]\n-- done', 'By the way.\nAnd another thing.']);
    expect(slate.messages('c')).toHaveLength(2);
  });
});

test('a chat that hangs delays neither others nor the session', async () => {
  const { slate, chat, say, reads } = await openScene();
  slate.fault = ({ chatId }) => (chatId === 'stuck' ? { when: 'hang' } : undefined);
  await chat('stuck');
  await chat('c');

  for (let count = 1; count <= 20; count += 1) await say(...turn(`t${count}`, `${count}.`));

  await reads(
    'c',
    Array.from({ length: 20 }, (_, index) => `${index + 1}.\n-- done`),
  );
  expect(slate.texts('stuck')).toEqual([]);
});

test.each(STORE_ENGINES)(
  'on %s: a chat is told that its session was deleted, and by whom, and what is there stays',
  async (engine) => {
    const { door, chat, say, reads, until, posts, sessionId } = await openScene(engine);
    await chat('c');
    await chat('elsewhere', { session_id: null });
    await say(...turn('t', 'Gone soon.'));
    await reads('c', ['Gone soon.\n-- done']);

    await door.owner.client.removeSession({ sessionId });

    const told = 'The session **The door** was deleted by owner. Your next message starts a new one.';
    await reads('c', ['Gone soon.\n-- done', told]);
    await until(async () => (await posts('c')).every(({ state }) => state === 'done'));
    expect((await posts('c')).map(({ session_id }) => session_id)).toEqual([null]);
    expect(await posts('elsewhere')).toEqual([]);
  },
);
