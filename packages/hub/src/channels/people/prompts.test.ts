import { DragomanError } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { HubTables } from '../../hub-tables.ts';
import type { HeardFile } from '../heard.ts';
import { type ChatDoor, openChatDoor } from './chat-door.fixture.ts';

const PIXEL = Buffer.from('89504e470d0a1a0a', 'hex');

function file(kind: HeardFile['kind'], name: string, mediaType: string, bytes: Uint8Array | Error = PIXEL): HeardFile {
  return {
    kind,
    name,
    mediaType,
    async read() {
      if (bytes instanceof Error) throw bytes;
      return bytes;
    },
  };
}

async function promptsOf({ owner }: ChatDoor, sessionId: string) {
  const { events } = await owner.client.readLog({ sessionId });
  return events.flatMap(({ event }) => (event.type === 'prompt-queued' ? [event.prompt] : []));
}

/** A person in a chat that shows a session which is ready. */
async function openSession(options: Parameters<typeof openChatDoor>[0] = {}, capabilities = {}) {
  const door = await openChatDoor(options);
  const agents = [{ name: 'able', backend: 'other', capabilities: { steer: true, ...capabilities } }];
  const runner = await door.runner({ agents });
  const chatter = await door.bound(door.owner, 'boss');
  await chatter.say('/new able /code/app');
  await runner.command('open');
  const [session] = (await door.owner.client.listSessions({})).sessions;
  const sessionId = session!.id;
  await runner.say(sessionId, [{ type: 'agent-state', state: 'ready' }]);
  return { door, runner, chatter, sessionId };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: what a person writes is a prompt of theirs in the session that the chat shows, however often it is told`, async () => {
    const { door, runner, chatter, sessionId } = await openSession({ engine });
    const message = { type: 'message' as const, messageId: 'm-1', text: 'fix it', files: [], isForUs: true };

    await Promise.all([chatter.tell({ ...message, id: 'u-1' }), chatter.tell({ ...message, id: 'u-1' })]);
    await chatter.tell({ ...message, id: 'u-1' });
    await chatter.tell({ ...message, id: 'u-1-of-another-process' });
    await door.reopen();
    runner.link = door.hub.link(door.owner.caller);
    await runner.connect();
    await chatter.tell({ ...message, id: 'u-1' });

    const { userId } = door.owner.caller;
    expect(await promptsOf(door, sessionId)).toEqual([
      {
        id: expect.stringMatching(/^msg_[0-9a-hjkmnp-tv-z]{26}$/),
        content: [{ type: 'text', text: 'fix it' }],
        delivery: 'queue',
        by: { type: 'user', userId, name: 'owner', channel: 'slate' },
      },
    ]);
  });

  test(`${engine}: without a session a new one starts where the person worked last, and a button leads elsewhere`, async () => {
    const door = await openChatDoor({ engine });
    await door.runner();
    const chatter = await door.bound(door.owner, 'boss');
    await door.owner.client.createSession({ agent: 'scribe', folder: '/code/old' });
    await door.owner.client.createSession({ agent: 'able', folder: '/code/app' });
    const message = { type: 'message' as const, messageId: 'm-1', text: 'fix it', files: [], isForUs: true };

    await chatter.tell({ ...message, id: 'u-1' });
    await chatter.tell({ ...message, id: 'u-2' });

    expect((await chatter.notes()).slice(1)).toEqual([
      {
        text: 'Started a new **able** session in **\\/code\\/app** on **desk**, where you last worked.',
        buttons: [[{ label: 'Choose another…', action: { type: 'command', text: '/switch' } }]],
      },
    ]);
    const { sessions } = await door.owner.client.listSessions({});
    expect(sessions).toHaveLength(3);
    const started = sessions.find(({ title }) => title === 'fix it')!;
    expect(started).toMatchObject({ agent: 'able', folder: '/code/app' });
    expect(await chatter.chat()).toMatchObject({ session_id: started.id });
    expect(await promptsOf(door, started.id)).toHaveLength(1);
  });

  test(`${engine}: where a person never worked, they choose an agent and a place, and what they wrote goes along`, async () => {
    const door = await openChatDoor({ engine });
    const runner = await door.runner({ folders: ['/code', '/my docs'], isShared: true });
    const chatter = await door.bound(await door.person('ada'), 'ada', 'zh');

    const [note] = await chatter.say('修好它\n快一点');
    expect(note!.text).toBe('由哪个智能体来做？在哪里做？');
    expect(note!.buttons!.flat().map(({ label }) => label)).toEqual([
      'scribe · code',
      'scribe · my docs',
      'able · code',
      'able · my docs',
    ]);
    expect(await chatter.press('able · my docs')).toEqual({ text: '好的', isRefused: false });

    const { command } = await runner.command('prompt');
    expect(command.prompt.content).toEqual([{ type: 'text', text: '修好它\n快一点' }]);
    const [session] = (await door.owner.client.listSessions({})).sessions;
    expect(session).toMatchObject({ agent: 'able', folder: '/my docs', title: '修好它' });
    expect((await chatter.chat())!.session_id).toBe(session!.id);
  });

  test(`${engine}: who writes while a turn runs is told how many are before it, and can take it back`, async () => {
    const { runner, chatter, sessionId, door } = await openSession({ engine });
    expect(await chatter.ask('one')).toEqual([]);
    const first = await runner.command('prompt');
    const promptId = first.command.prompt.id;
    await runner.say(sessionId, [{ type: 'turn-started', turnId: 't', promptId }], first);

    expect(await chatter.ask('two')).toEqual(['Queued until the current turn ends.']);
    const { messageId } = await door.shown(chatter.chatId, ({ text }) => text.includes('the current turn'));
    // The same message says it of each that comes behind.
    for (const text of ['three', 'four']) expect(await chatter.ask(text)).toEqual([]);
    expect((await chatter.notes()).at(-1)!.text).toBe('Queued behind 2 prompts.');
    expect(await door.shown(chatter.chatId, ({ text }) => text.includes('2 prompts'))).toMatchObject({ messageId });
    expect(await chatter.press('Remove from queue')).toEqual({ text: 'Removed.', isRefused: false });
    const { events } = await door.owner.client.readLog({ sessionId });
    expect(events.flatMap(({ event }) => (event.type === 'prompt-withdrawn' ? [event.by] : []))).toEqual([
      { type: 'user', userId: door.owner.caller.userId, name: 'owner', channel: 'slate' },
    ]);

    expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 2 });
  });
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: what two processes hear at once, and again after a crash, happens once and is answered once`, async () => {
    const { door, chatter, sessionId } = await openSession({ engine });
    await door.another();
    const before = (await chatter.notes()).length;
    const base = {
      chat: { chatId: chatter.chatId, kind: 'private' as const },
      person: { accountId: 'boss', name: 'boss' },
      type: 'message' as const,
      files: [],
      isForUs: true,
    };
    const help = { ...base, id: 'u-1', messageId: 'm-1', text: '/help' };
    const prompt = { ...base, id: 'u-2', messageId: 'm-2', text: 'fix it' };
    const start = { ...base, id: 'u-3', messageId: 'm-3', text: '/new able /code/other' };

    for (const heard of [help, prompt]) await Promise.all(door.hosts.map((host) => host.hear(heard)));
    expect((await chatter.notes()).length - before).toBe(1);
    expect(await promptsOf(door, sessionId)).toHaveLength(1);

    await chatter.tell(start);
    await door.store.tables<HubTables>().deleteFrom('hub_chat_heard').execute(); // As if the process had ended right before.
    for (const heard of [prompt, start]) await chatter.tell(heard);
    expect(await promptsOf(door, sessionId)).toHaveLength(1);
    expect((await door.owner.client.listSessions({})).sessions).toHaveLength(2);
  });
}

test('who writes before the agent has started is not told of a turn that there is not', async () => {
  const door = await openChatDoor();
  await door.runner();
  const chatter = await door.bound(door.owner, 'boss');
  await chatter.say('/new able /code/app');

  expect(await chatter.ask('one')).toEqual([]);
  expect(await chatter.ask('two')).toEqual(['Queued behind 1 prompt.']);
});

test('a machine that is away is told of, and the prompt waits: it can be taken back, or the session moved', async () => {
  const { runner, chatter, door, sessionId } = await openSession();
  await runner.leave();

  const [note] = await chatter.say('hello');

  expect(note!.text).toBe(
    'desk is offline. Your prompt is queued until it reconnects. Send /move to continue on another machine.',
  );
  expect(note!.buttons!.map((row) => row.map(({ label }) => label))).toEqual([['Remove from queue'], ['Move…']]);
  expect(await promptsOf(door, sessionId)).toHaveLength(1);
  await chatter.press('Remove from queue');
  expect(await chatter.ask('/queue')).toEqual(['No queued prompts.']);
});

test('a machine that is away for longer is told of with the time, and what can be done', async () => {
  const { runner, chatter, door, sessionId } = await openSession();
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't' }]);
  await runner.leave();
  const last_seen_at = Date.now() - 5.5 * 60_000;
  await door.store.tables<HubTables>().updateTable('hub_runners').set({ last_seen_at }).execute();

  const [note] = await chatter.say('still there?');

  expect(note!.text).toBe(
    'desk went offline 5 minutes ago. Your prompt is queued until it reconnects. Send /stop to end the turn, or /move to continue on another machine.',
  );
  expect(note!.buttons!.at(-1)!.map(({ label }) => label)).toEqual(['Stop', 'Move…']);
  expect((await chatter.ask('/status')).join()).toContain(
    'desk went offline 5 minutes ago. Send /stop to end the turn, or /move to continue on another machine.',
  );
});

test.each([
  [
    'en' as const,
    'desk was removed. Send /move to continue on another machine.',
    'That didn’t work: desk was removed. Send /move to continue on another machine.',
  ],
  ['zh' as const, 'desk 已被移除。发送 /移动 换一台机器继续。', '没有成功：desk 已被移除。发送 /移动 换一台机器继续。'],
])('in %s a machine that was removed is told of as such, and its sessions take no prompt', async (language, is, no) => {
  const { runner, chatter, door } = await openSession();
  const speaker = await door.bound(door.owner, `boss-${language}`, language);
  await speaker.say(`/switch ${(await chatter.chat())!.session_id}`);
  await runner.leave();
  await door.owner.client.removeRunner({ runnerId: runner.hello.id });

  expect((await speaker.ask('/status')).join()).toContain(is);
  expect(await speaker.ask('go on')).toEqual([no]);
});

test('images and files go along as the agent takes them, and one that is no good does not spoil the rest', async () => {
  const { door, chatter, sessionId } = await openSession({}, { images: true, files: true });
  const data = PIXEL.toString('base64');

  const notes = await chatter.ask('look', {
    files: [
      file('image', 'a.png', 'image/png'),
      file('file', 'huge.bin', 'application/zip', new Uint8Array(10_000_001)),
      file('file', 'notes.txt', 'text/plain'),
      file('file', 'empty.txt', 'text/plain', new Uint8Array()),
      file('image', 'gone.png', 'image/png', new DragomanError('too-large', 'The bot may read 20 MB at most.')),
      file('image', 'odd', 'application/octet-stream'),
    ],
  });

  expect(notes).toEqual([
    [
      '**huge\\.bin** was not sent: it is 10 MB, and the limit is 10 MB.',
      '**empty\\.txt** was not sent: it is empty.',
      '**gone\\.png** was not sent: The bot may read 20 MB at most\\.',
    ].join('\n\n'),
  ]);
  expect((await promptsOf(door, sessionId))[0]!.content).toEqual([
    { type: 'text', text: 'look' },
    { type: 'image', media_type: 'image/png', data },
    { type: 'file', name: 'notes.txt', media_type: 'text/plain', data },
    { type: 'file', name: 'odd', media_type: 'application/octet-stream', data },
  ]);
});

test('an agent that takes no files is not given any, and the words still reach it', async () => {
  const { door, chatter, sessionId } = await openSession({}, { images: true });
  const files = [file('file', 'notes.txt', 'text/plain'), file('image', 'a.png', 'image/png')];

  expect(await chatter.ask('', { files: [files[0]!] })).toEqual([
    '**notes\\.txt** was not sent: the agent able doesn’t accept files.',
  ]);
  expect(await promptsOf(door, sessionId)).toEqual([]);
  await chatter.say('', { files });
  expect((await promptsOf(door, sessionId))[0]!.content).toMatchObject([{ type: 'image' }]);
});

test('a voice message is written down where that is set up, and told once even if it was heard twice', async () => {
  let count = 0;
  const transcribe = async ({ name }: { name: string }) => `words ${++count} of ${name}`;
  const channels = { slate: {}, transcription: 'openai/whisper-1' } as never;
  const { door, chatter, sessionId } = await openSession({ transcribe, channels });
  const files = [file('voice', 'voice.ogg', 'audio/ogg'), file('voice', 'more.ogg', 'audio/ogg')];
  const message = { type: 'message' as const, messageId: 'm-1', text: 'listen', files, isForUs: true };

  await chatter.tell({ ...message, id: 'u-1' });
  await chatter.tell({ ...message, id: 'u-2' });

  expect((await promptsOf(door, sessionId)).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'listen\n\nwords 1 of voice.ogg\n\nwords 2 of more.ogg' }],
  ]);
});

test('where nothing writes voice messages down, the sender is told how to set that up', async () => {
  // Somebody could write them down, but no model is named for it.
  const transcribe = () => Promise.reject(new DragomanError('bad-request', 'channels.transcription names no model.'));
  const { door, chatter, sessionId } = await openSession({ transcribe });

  expect(await chatter.ask('', { files: [file('voice', 'voice.ogg', 'audio/ogg')] })).toEqual([
    '**voice\\.ogg** was not sent: no model is set up to transcribe voice messages. An admin can set one in `dragoman.json`: `"channels": { "transcription": "openai/whisper-1" }`.',
  ]);
  await door.store.tables<HubTables>().updateTable('hub_chats').set({ language: 'zh' }).execute();
  expect(await chatter.ask('', { files: [file('voice', 'voice.ogg', 'audio/ogg')] })).toEqual([
    expect.stringContaining('还没有设置语音转文字'),
  ]);
  expect(await promptsOf(door, sessionId)).toEqual([]);
});

test('a command of the agent itself is a prompt, and so is a path', async () => {
  const { door, runner, chatter, sessionId } = await openSession();
  await runner.say(sessionId, [{ type: 'agent-updated', commands: [{ name: 'compact' }] }]);

  await chatter.say('/compact now');
  await chatter.say('/usr/bin is full');
  expect(await chatter.ask('/compct')).toEqual([expect.stringContaining('Unknown command `/compct`.')]);

  expect((await promptsOf(door, sessionId)).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: '/compact now' }],
    [{ type: 'text', text: '/usr/bin is full' }],
  ]);
});

test('messages of a chat keep their order, also when the first one has a slow image', async () => {
  const { door, chatter, sessionId } = await openSession({}, { images: true });
  const slow = Promise.withResolvers<Uint8Array>();
  const picture = { kind: 'image' as const, name: 'a.png', mediaType: 'image/png', read: () => slow.promise };

  const both = [chatter.say('first', { files: [picture] }), chatter.say('second')];
  slow.resolve(PIXEL);
  await Promise.all(both);

  const texts = (await promptsOf(door, sessionId)).map(({ content }) => content[0]);
  expect(texts).toEqual([
    { type: 'text', text: 'first' },
    { type: 'text', text: 'second' },
  ]);
});

test('what says nothing, such as a sticker, is nothing', async () => {
  const door = await openChatDoor();
  const chatter = await door.bound(door.owner, 'boss');

  expect(await chatter.ask('  ')).toEqual([]);
});

test('a session that was deleted is shown no more, and the next prompt starts a new one', async () => {
  const { door, chatter, sessionId } = await openSession();
  await door.owner.client.createSession({ agent: 'able', folder: '/code/other' });
  await door.owner.client.removeSession({ sessionId });

  expect(await chatter.ask('/stop')).toEqual([expect.stringContaining('No session selected.')]);
  expect(await chatter.ask('go on')).toEqual([expect.stringContaining('**\\/code\\/other**')]);
});
