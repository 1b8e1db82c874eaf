import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { freePort, startDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import {
  bindTelegram,
  channelsOf,
  DOT,
  hold,
  letBuild,
  model,
  openTelegram,
  PATIENCE_MS,
  serveChats,
  sessionIn,
  timeless,
} from './channels.fixture.ts';
import { blocksOf, projectWith, says, scripted, serveHub, toldBy, turnsOver } from './hub.fixture.ts';

const BOUND =
  'You’re connected as owner (admin). Describe a task, or send /sessions to see the sessions and /help to list the commands.';
const HOW_TO_BIND =
  'I don’t know you yet. Open Settings → Channels in the console, choose Connect a chat account, and send me the code it shows, such as /bind 7K2M-Q4XN.';

test('a prompt in a chat is answered while it is written: thinking is folded, a call is allowed by its button and goes from running to done in its line [UAP-35]', async () => {
  const telegram = await openTelegram();
  const { owner, provider, folder } = await serveChats({ telegram });
  const ann = await bindTelegram(owner, telegram, 'Ann');
  const [first, last] = [hold(), hold()];
  provider.answer(
    model({ thinks: 'They want it built.' }, { says: 'I **build** it.' }, first.promise, {
      calls: 'bash',
      with: { command: 'sh build.sh' },
      id: 'call_1',
    }),
    model({ says: 'It is built,' }, last.promise, { says: ' and all is *well*.' }),
  );

  telegram.say(ann, ann, `/new native ${folder}`);
  await telegram.until(() => telegram.botMessagesIn(ann).length === 2);
  const promptId = telegram.say(ann, ann, 'build it');

  // While it is written it is a draft.
  const draft = await telegram.until(() => telegram.draftsIn(ann).find(({ text }) => text.includes('I build it.')));
  expect(timeless(draft.text)).toBe('💭 Thought\nThey want it built.\n\nI build it.\n\n⏳ Working…');
  expect(telegram.botMessagesIn(ann)).toHaveLength(2);
  first.goOn();

  // What is asked has the agent's own answers as buttons.
  const asked = await telegram.until(() => telegram.botMessagesIn(ann).find(({ buttons }) => buttons.length > 0));
  expect(asked.buttons.flat().map(({ text }) => text)).toEqual([
    'Allow once',
    'Always allow in this project: bash sh build.sh',
    'Deny',
  ]);
  const answer = () => telegram.botMessagesIn(ann)[2]!;
  expect(answer().text).toContain('⏸ Run sh build.sh · waiting for an answer');
  expect(answer().replyTo).toBe(promptId);
  expect(await telegram.press(ann, ann, asked.messageId, 'Allow once')).toMatchObject({
    text: 'Allow once, by owner (telegram)',
  });

  // The same line runs, and is done.
  await telegram.until(() => answer().text.includes('⏳ Run sh build.sh'));
  letBuild(folder);
  await telegram.until(() => answer().text.includes('✅ Run sh build.sh'));
  await telegram.until(() => answer().text.includes('It is built,'));
  expect(answer().text).not.toContain('and all is well');
  last.goOn();
  await telegram.until(() => answer().text.includes('✓ Done'));

  const sessionId = await sessionIn(owner, 'telegram', String(ann.id));
  await turnsOver(owner, sessionId);
  expect(answer().blocks.map(({ kind, text }) => [kind, timeless(text)])).toEqual([
    ['folded-quote', '💭 Thought\nThey want it built.'],
    ['text', 'I build it.\n\n✅ Run sh build.sh\n      Allow once · owner (telegram)'],
    ['folded-quote', 'built'],
    ['text', 'It is built, and all is well.\n\n✓ Done · 20 in · 10 out'],
  ]);
  expect(answer().blocks[3]!.runs).toContainEqual({ text: 'well', styles: ['italic'] });
  await telegram.until(() => telegram.botMessagesIn(ann).every(({ buttons }) => buttons.length === 0));
  const [bound, started, , decided, ...others] = telegram.botMessagesIn(ann);
  expect(others).toEqual([]);
  expect(bound!.text).toBe(BOUND);
  expect(started!.text).toMatch(/^Started a new native session in \S+ on \S+\. Describe a task\.$/);
  expect(decided).toMatchObject({ messageId: asked.messageId, buttons: [] });
  expect(decided!.text).toMatch(/^✅ Allowed\nsh build\.sh\n(?:.*\n)+Allow once · owner \(telegram\)\n\n💬 build it$/);
  expect(telegram.draftsIn(ann)).toEqual([]);
});

test('who is not bound is told how to be, and nothing else; a group is heard once an admin allows it, and there only people who are bound [UAP-35]', async () => {
  const telegram = await openTelegram();
  const { owner, provider, folder } = await serveChats({ telegram });
  const ann = await bindTelegram(owner, telegram, 'Ann');
  const eve = telegram.addUser({ name: 'Eve' });
  provider.answer(says('Hello, group.'));

  telegram.say(eve, eve, `/new native ${folder}\nmake it green`);
  await telegram.until(() => telegram.botMessagesIn(eve).length === 1);
  expect(telegram.botMessagesIn(eve)[0]!.text).toBe(HOW_TO_BIND);

  const team = telegram.addGroup({ title: 'Team', by: ann });
  const chat = { channel: 'telegram', chatId: String(team.id) };
  const say = (who: typeof ann, text: string) => telegram.say(team, who, text);
  say(ann, `/new@dragoman_test_bot native ${folder}\ngreet us`);
  await telegram.until(() => telegram.botMessagesIn(team).length === 1);
  expect(telegram.botMessagesIn(team)[0]!.text).toBe(
    'I’m not allowed to post in this group yet. An admin can allow it under Settings → Channels in the console.',
  );
  expect((await owner.listSessions({})).sessions).toEqual([]);

  expect(await owner.setChat({ ...chat, isAllowed: true })).toMatchObject({ title: 'Team', state: 'open' });
  await telegram.until(() => telegram.botMessagesIn(team).length === 2);
  say(ann, `/new@dragoman_test_bot native ${folder}`);
  const sessionId = await sessionIn(owner, 'telegram', String(team.id));
  say(eve, '@dragoman_test_bot make it green');
  await telegram.until(() => telegram.botMessagesIn(team).some(({ text }) => text.startsWith('I don’t know you yet.')));
  say(ann, 'this is for people');
  say(ann, '@dragoman_test_bot greet us');
  await telegram.until(() => telegram.botMessagesIn(team).some(({ text }) => text.includes('✓ Done')));

  expect(toldBy(await turnsOver(owner, sessionId))).toEqual(['text greet us', 'text Hello, group.']);
  expect((await owner.listSessions({})).sessions.map(({ id }) => id)).toEqual([sessionId]);
  expect(provider.requests).toHaveLength(1);
  expect(telegram.botMessagesIn(eve)).toHaveLength(1);
});

test('a photo and a document go to the agent with what was written below them [UAP-35]', async () => {
  const telegram = await openTelegram();
  const { owner, provider, folder } = await serveChats({ telegram });
  const ann = await bindTelegram(owner, telegram, 'Ann');
  provider.answer(says('A dot.'), says('Three notes.'));
  telegram.say(ann, ann, `/new native ${folder}`);
  const sessionId = await sessionIn(owner, 'telegram', String(ann.id));

  telegram.say(ann, ann, { photo: DOT, caption: 'what is this?' });
  await turnsOver(owner, sessionId);
  const notes = { bytes: Buffer.from('one\ntwo\nthree\n'), name: 'notes.txt', mediaType: 'text/plain' };
  telegram.say(ann, ann, { document: notes, caption: 'and this?' });
  const view = await turnsOver(owner, sessionId, 2);

  const data = (bytes: Buffer) => bytes.toString('base64');
  expect(blocksOf(view).filter(({ type }) => type !== 'usage')).toMatchObject([
    { type: 'text', text: 'what is this?' },
    { type: 'image', media_type: 'image/jpeg', data: data(DOT) },
    { type: 'text', text: 'A dot.' },
    { type: 'text', text: 'and this?' },
    { type: 'file', name: 'notes.txt', media_type: 'text/plain', data: data(notes.bytes) },
    { type: 'text', text: 'Three notes.' },
  ]);
  expect(provider.requests[0]!.text).toContain(data(DOT));
  expect(provider.requests[1]!.text).toContain('one\\ntwo\\nthree');
  await telegram.until(() => telegram.botMessagesIn(ann).some(({ text }) => text.includes('Three notes.')));
});

test('the server is killed in the middle of a turn, with a message under way, and starts again: each message is there once, its button works, and the final answer comes [UAP-35]', async () => {
  const telegram = await openTelegram();
  const provider = await startFakeProvider();
  const [home, port, token] = [tempFolder(), String(await freePort()), 'A-TOKEN-THAT-STAYS-THE-SAME'];
  const serve = () =>
    serveHub({ channels: channelsOf({ telegram }) }, { home, args: ['--port', port, '--token', token] });
  const folder = projectWith({ 'build.sh': 'echo built\n' });
  const runnerHome = tempFolder();
  writeFileSync(join(runnerHome, 'dragoman.json'), JSON.stringify(scripted(provider.url)));
  provider.answer(
    model({ says: 'I build it.' }, { calls: 'bash', with: { command: 'sh build.sh' }, id: 'call_1' }),
    model({ says: 'It is built.' }),
  );

  const first = await serve();
  startDragoman(['runner', '--hub', first.url, '--name', 'desk'], { home: runnerHome, env: { DRAGOMAN_TOKEN: token } });
  const ann = await bindTelegram(first.owner, telegram, 'Ann');
  const isConnected = async () =>
    (await first.owner.listRunners()).runners.some((runner) => runner.name === 'desk' && runner.isConnected);
  await expect.poll(isConnected, { timeout: PATIENCE_MS }).toBe(true);
  telegram.say(ann, ann, `/new native ${folder} @desk`);
  await telegram.until(() => telegram.botMessagesIn(ann).length === 2);

  // Telegram has the question, and the server does not hear so before it is gone.
  telegram.faults = ({ method, params }) =>
    method === 'sendMessage' && String(params['text']).includes('Needs your approval') ? 'hang-after' : undefined;
  telegram.say(ann, ann, 'build it');
  const asked = await telegram.until(() => telegram.botMessagesIn(ann).find(({ buttons }) => buttons.length > 0));
  await first.stop('SIGKILL');
  expect(telegram.calls.log.filter(({ method, status }) => method === 'sendMessage' && status === 0)).toHaveLength(1);
  telegram.faults = undefined;
  const second = await serve();

  await telegram.press(ann, ann, asked.messageId, 'Allow once');
  await telegram.until(() => telegram.botMessagesIn(ann).some(({ text }) => text.includes('✓ Done')));
  const sessionId = await sessionIn(second.owner, 'telegram', String(ann.id));
  expect(toldBy(await turnsOver(second.owner, sessionId))).toEqual([
    'text build it',
    'text I build it.',
    'tool_use bash Success',
    'approval',
    'tool_result built',
    'text It is built.',
  ]);
  const decided = await telegram.until(() =>
    telegram.botMessagesIn(ann).find(({ text }) => /^Allow once · owner \(telegram\)$/m.test(text)),
  );
  expect(decided).toMatchObject({ messageId: asked.messageId, buttons: [] });
  expect(telegram.botMessagesIn(ann).map(({ text }) => timeless(text))).toEqual([
    BOUND,
    `Started a new native session in ${folder} on desk. Describe a task.`,
    'I build it.\n\n✅ Run sh build.sh\n      Allow once · owner (telegram)\nbuilt\n\nIt is built.\n\n✓ Done · 20 in · 10 out',
    expect.stringMatching(/^✅ Allowed\n/) as string,
  ]);
});
