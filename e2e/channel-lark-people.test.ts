import { type LarkUser, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { cutPower } from './agents-process.fixture.ts';
import {
  bindLark,
  channelsOf,
  connected,
  DOT,
  hold,
  larkMessage,
  letBuild,
  model,
  openLark,
  serveChats,
  sessionIn,
} from './channels.fixture.ts';
import { blocksOf, projectWith, says, scripted, serveHub, toldBy, turnsOver, viewUntil } from './hub.fixture.ts';

const HOW_TO_BIND =
  'I don’t know you yet. Open Settings → Channels in the console, choose Connect a chat account, and send me the code it shows, such as /bind 7K2M-Q4XN.';

test('who is not bound is told how to be, a group is heard once an admin allows it, and pictures and files go to the agent [UAP-33, UAP-34]', async () => {
  const lark = await openLark();
  const { owner, provider, folder } = await serveChats({ lark });
  const ann = await bindLark(owner, lark, 'Ann');
  const eve = lark.addUser({ name: 'Eve' });
  await lark.say(eve.chatId, eve, `/new native ${folder}\nmake it green`);
  expect((await larkMessage(lark, eve.chatId, () => true)).text).toBe(HOW_TO_BIND);

  const team = lark.addGroup({ name: 'Team', members: [ann, eve] });
  const say = (who: LarkUser, text: string) => lark.say(team.chatId, who, { text, mentionBot: true });
  await say(ann, `/new native ${folder}`);
  expect((await larkMessage(lark, team.chatId, () => true)).text).toBe(
    'I’m not allowed to post in this group yet. An admin can allow it under Settings → Channels in the console.',
  );
  expect((await owner.listSessions({})).sessions).toEqual([]);
  await owner.setChat({ channel: 'lark', chatId: team.chatId, isAllowed: true });
  await say(ann, `/new native ${folder}`);
  const sessionId = await sessionIn(owner, 'lark', team.chatId);
  provider.answer(
    model({ calls: 'bash', with: { command: 'sh build.sh' }, id: 'call_1' }),
    model({ says: 'Hello, group.' }),
  );
  letBuild(folder);
  await say(ann, 'greet us');

  // Who is not bound may press, and nothing comes of it.
  const asked = await larkMessage(lark, team.chatId, ({ card }) => card?.title === '✋ Needs your approval');
  expect(await lark.press(team.chatId, eve, asked.messageId, 'Allow once')).toMatchObject({
    toast: {
      type: 'error',
      content: 'I don’t know you yet. Connect your account in the console: Settings → Channels.',
    },
  });
  await say(eve, 'make it green');
  await larkMessage(lark, team.chatId, ({ text }) => text.startsWith('I don’t know you yet.'));
  expect((await owner.listApprovals()).approvals).toHaveLength(1);
  await lark.press(team.chatId, ann, asked.messageId, 'Allow once');
  await larkMessage(lark, team.chatId, ({ text }) => text.includes('Hello, group.') && text.includes('✅ Done'));
  expect(toldBy(await turnsOver(owner, sessionId))).toEqual([
    'text greet us',
    'tool_use bash Success',
    'approval',
    'tool_result built',
    'text Hello, group.',
  ]);

  provider.answer(says('A dot.'), says('Three notes.'));
  await lark.say(ann.chatId, ann, `/new native ${folder}`);
  const own = await sessionIn(owner, 'lark', ann.chatId);
  await lark.say(ann.chatId, ann, { image: DOT });
  await turnsOver(owner, own);
  const notes = Buffer.from('one\ntwo\nthree\n');
  await lark.say(ann.chatId, ann, { file: { bytes: notes, name: 'notes.txt' } });
  const view = await turnsOver(owner, own, 2);
  expect(blocksOf(view).filter(({ type }) => type !== 'usage')).toMatchObject([
    { type: 'image', media_type: 'image/png', data: DOT.toString('base64') },
    { type: 'text', text: 'A dot.' },
    { type: 'file', name: 'notes.txt', data: notes.toString('base64') },
    { type: 'text', text: 'Three notes.' },
  ]);
  expect(lark.messagesIn(eve.chatId).filter(({ from }) => from === 'bot')).toHaveLength(1);
});

test('the power fails in the middle of a turn, with a card under way, and the server starts again: each card is there once, and the final answer comes [UAP-34]', async () => {
  const lark = await openLark();
  const provider = await startFakeProvider();
  const home = tempFolder();
  const serve = () => serveHub({ ...scripted(provider.url), channels: channelsOf({ lark }) }, { home });
  const first = await serve();
  await connected(lark);
  const ann = await bindLark(first.owner, lark, 'Ann');
  provider.answer(model({ says: 'The first half,' }, hold().promise));

  // Lark has the card, and the server does not hear so before it is gone.
  lark.faults = ({ endpoint }) => (endpoint === 'POST im/v1/messages/:message_id/reply' ? 'hang-after' : undefined);
  await lark.say(ann.chatId, ann, `/new native ${projectWith({ 'a.txt': 'a' })}\nsay it`);
  const sessionId = await sessionIn(first.owner, 'lark', ann.chatId);
  const begun = await larkMessage(lark, ann.chatId, ({ card }) => card?.isStreaming === true);
  await viewUntil(first.owner, sessionId, (view) => toldBy(view).some((told) => told.startsWith('text The first')));
  await cutPower(first);
  expect(lark.calls.all.filter(({ outcome }) => outcome === 'hang-after')).toHaveLength(1);
  lark.faults = undefined;

  // The agent is gone as well: the card says so, and the next prompt lets it go on.
  provider.answer(model({ says: 'Both halves.' }));
  const second = await serve();
  const gone = await larkMessage(lark, ann.chatId, ({ text }) =>
    text.includes('Interrupted: the agent’s process exited'),
  );
  expect(gone.messageId).toBe(begun.messageId);
  await connected(lark);
  await lark.say(ann.chatId, ann, 'go on');
  const done = await larkMessage(
    lark,
    ann.chatId,
    ({ text }) => text.includes('Both halves.') && text.includes('✅ Done'),
  );
  expect(done.card).toMatchObject({ isStreaming: false, summary: 'Both halves.' });
  await turnsOver(second.owner, sessionId, 2);
  const said = lark.messagesIn(ann.chatId).filter(({ from }) => from === 'bot');
  expect(
    said.filter(({ text }) => text.includes('half,') || text.includes('halves')).map(({ messageId }) => messageId),
  ).toEqual([begun.messageId, done.messageId]);
  expect(said.filter(({ card }) => card?.isStreaming)).toEqual([]);
});
