import { createConsoleClient } from '@dragoman/protocol/console';
import { expect, test } from 'vitest';
import { bindLark, hold, larkMessage, model, openLark, serveChats, sessionIn } from './channels.fixture.ts';
import { clientOf } from './hub.fixture.ts';

test('who is removed in the middle of an answer reads no more of it: their card says that it is over, and others read on [UAP-35]', async () => {
  const lark = await openLark();
  const server = await serveChats({ lark });
  const { owner, provider, folder } = server;
  const bob = await clientOf(server, 'bob', 'member');
  const [ann, ben] = [await bindLark(owner, lark, 'Ann'), await bindLark(bob, lark, 'Ben')];
  const rest = hold();
  provider.answer(model({ says: 'This is for both.' }, rest.promise, { says: ' This is confidential.' }));

  await lark.say(ann.chatId, ann, `/new ${folder}`);
  const sessionId = await sessionIn(owner, 'lark', ann.chatId);
  await lark.say(ben.chatId, ben, `/switch ${sessionId}`);
  await sessionIn(owner, 'lark', ben.chatId);
  await lark.say(ann.chatId, ann, 'speak');
  await larkMessage(lark, ben.chatId, ({ text }) => text.includes('This is for both.'));

  const admin = createConsoleClient({ url: server.url, token: server.token });
  const { users } = await admin.listUsers();
  await admin.removeUser({ userId: users.find(({ name }) => name === 'bob')!.id });
  rest.goOn();

  await larkMessage(lark, ann.chatId, ({ text }) => text.includes('This is confidential.'));
  await larkMessage(lark, ben.chatId, ({ text }) => text === 'This is no longer shown here.');
  expect(JSON.stringify(lark.messagesIn(ben.chatId))).not.toContain('confidential');
  await lark.say(ben.chatId, ben, '/sessions');
  await larkMessage(lark, ben.chatId, ({ text }) => text.startsWith('I don’t know you yet.'));
});
