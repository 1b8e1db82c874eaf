import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { connectedScene, finished, larkScene, type LarkScene, TestPost } from './lark-channel.fixture.ts';

/** What was heard, without what can be called. */
function plainly({ heard }: LarkScene) {
  return heard.map((one) =>
    one.type === 'message'
      ? { ...one, files: one.files.map(({ kind, name, mediaType }) => ({ kind, name, mediaType })) }
      : one,
  );
}

test('what a person writes to the bot is heard, with who it was, and acknowledged [UAP-34]', async () => {
  const scene = await connectedScene();
  const { lark, ann } = scene;

  const said = await lark.say(ann.chatId, ann, 'Hello');

  expect(said.isAcknowledged).toBe(true);
  expect(plainly(scene)).toEqual([
    {
      type: 'message',
      id: lark.deliveries[0]!.eventId,
      chat: { chatId: ann.chatId, kind: 'private', title: undefined },
      person: { accountId: ann.openId, name: 'Ann' },
      messageId: said.messageId,
      text: 'Hello',
      files: [],
      replyTo: undefined,
      isForUs: true,
    },
  ]);
  expect(scene.states.at(-1)).toEqual({ type: 'on' });
});

test('in a group it is for the bot where it is mentioned; what is a reply is told as such', async () => {
  const scene = await connectedScene({
    fake: { scopes: ['im:message.group_msg', 'im:message', 'cardkit:card:write', 'im:chat:readonly'] },
  });
  const { lark, channel, ann } = scene;
  const team = lark.addGroup({ name: 'Team', members: [ann] });
  const { messageId } = await new TestPost({ chatId: team.chatId, kind: 'group', language: 'en' }).deliver(
    channel,
    finished('Hi'),
  );

  await lark.say(team.chatId, ann, { text: 'do it', mentionBot: true });
  await lark.say(team.chatId, ann, 'lunch?');
  await lark.say(team.chatId, ann, { text: 'thanks', parent: messageId! });

  expect(plainly(scene)).toMatchObject([
    { text: 'do it', isForUs: true, chat: { chatId: team.chatId, kind: 'group', title: 'Team' } },
    { text: 'lunch?', isForUs: false },
    { text: 'thanks', isForUs: false, replyTo: messageId },
  ]);
  expect(scene.heard[0]?.person.name).toBe(`Lark …${ann.openId.slice(-6)}`);
});

test('a process that has no connection of its own tells of the bot once somebody asked', async () => {
  const { reopen } = await connectedScene();
  const other = await reopen();
  expect(other.bot()).toBeUndefined();
  await expect.poll(() => other.bot()?.name).toBe('Dragoman');
});

test('messages of a chat are heard one after the other, and other chats meanwhile', async () => {
  const { lark, ann, heard, answer } = await connectedScene();
  const bob = lark.addUser({ name: 'Bob' });
  const gate = Promise.withResolvers<undefined>();
  answer.with = (one) => (one.type === 'message' && one.text === 'first' ? gate.promise : Promise.resolve(undefined));

  const first = lark.say(ann.chatId, ann, 'first');
  await expect.poll(() => heard.length).toBe(1);
  const second = lark.say(ann.chatId, ann, 'second');
  await lark.say(bob.chatId, bob, 'third');
  gate.resolve(undefined);
  await Promise.all([first, second]);

  expect(heard.map((one) => one.type === 'message' && one.text)).toEqual(['first', 'third', 'second']);
});

test('what could not be stored is not acknowledged, and comes again', async () => {
  const { lark, ann, heard, answer } = await connectedScene();
  answer.with = () => Promise.reject(new DragomanError('unavailable', 'The store is away.'));
  expect((await lark.say(ann.chatId, ann, 'Hello')).isAcknowledged).toBe(false);

  answer.with = async () => undefined;
  await lark.redeliver();

  expect(lark.deliveries).toMatchObject([{ attempts: 2, isAcknowledged: true }]);
  expect(new Set(heard.map((one) => one.id)).size).toBe(1);
});

test('that the bot joins and leaves a group is heard', async () => {
  const { lark, ann, heard } = await connectedScene();
  const team = lark.addGroup({ name: 'Team', members: [ann], hasBot: false });

  await lark.invite(team.chatId, ann);
  await lark.kick(team.chatId);

  expect(heard).toMatchObject([
    { type: 'joined', chat: { chatId: team.chatId, kind: 'group', title: 'Team' }, person: { name: 'Ann' } },
    { type: 'left', chat: { chatId: team.chatId, kind: 'group' } },
  ]);
});

test('after a cut it comes back by itself, and says so', async () => {
  const { lark, ann, heard, states } = await connectedScene();
  lark.cutConnections();
  await expect.poll(() => states.map((state) => state.type)).toEqual(['on', 'trouble', 'on']);
  await lark.until(() => lark.connections() === 1);

  await lark.say(ann.chatId, ann, 'Still there?');

  expect(heard).toMatchObject([{ text: 'Still there?' }]);
});

test('an app that is switched off is said with the code, and tried again', async () => {
  const scene = await larkScene({ times: { retryMs: 20 } });
  scene.lark.disable();
  await scene.channel.listen();
  await scene.lark.until(() => scene.lark.calls.count('POST /callback/ws/endpoint') >= 2);
  expect(scene.states[0]).toEqual({
    type: 'failed',
    reason:
      'Lark refuses the connection (code 514): the App ID or the App Secret is wrong. Copy both from "Credentials & Basic Info".',
  });

  scene.lark.disable(false);
  await expect.poll(() => scene.states.at(-1)).toEqual({ type: 'on' });
});

test('a server that cannot be reached is trouble', async () => {
  const scene = await larkScene();
  await scene.lark.close();

  await scene.channel.listen();

  await expect
    .poll(() => scene.states[0])
    .toEqual({
      type: 'trouble',
      reason: 'Can’t connect to Lark for events; retrying. Check the network and the proxy.',
    });
});

test('an App ID that the SDK would not connect with is said', async () => {
  const scene = await larkScene({ settings: { appId: 'my-app' } });

  await scene.channel.listen();

  expect(scene.states).toMatchObject([
    { type: 'failed', reason: expect.stringContaining('"my-app" is not an App ID') as string },
  ]);
});

test('closed, it lets go of the connection', async () => {
  const { lark, channel } = await connectedScene();

  await channel.close();

  await expect.poll(() => lark.connections()).toBe(0);
});
