import { DragomanError } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import type { Heard } from '../channels/heard.ts';
import { deliveryOf, lineBody, openBot } from './open-bot.fixture.ts';
import { readUpdate } from './read-update.ts';
import { webhookSecret } from './telegram-webhook.ts';

const signal = AbortSignal.timeout(60_000);

function said(heard: readonly Heard[]): string[] {
  return heard.map((each) => (each.type === 'message' ? each.text : each.type));
}

function numberOf(each: Heard): number {
  return each.type === 'message' ? Number.parseInt(each.messageId, 10) : 0;
}

describe('by polling', () => {
  test('what a person says is heard with who it was, where, and in which language [UAP-35]', async () => {
    const { telegram, channel, ann, heard, states } = await openBot();
    const lin = telegram.addUser({ name: 'Lin', language: 'zh-hans' });
    await channel.listen();
    const id = telegram.say(lin, lin, '看看 src');
    await telegram.until(() => heard.length === 2);
    expect(states.at(-1)).toEqual({ type: 'on' });
    expect(said(heard)).toEqual(['/start', '看看 src']);
    expect(heard[0]).toMatchObject({ person: { accountId: String(ann.id), name: 'Ann', language: 'en' } });
    expect(heard[1]).toEqual({
      type: 'message',
      id: `message ${telegram.botUser.id} ${lin.id} ${id}`,
      chat: { chatId: String(lin.id), kind: 'private', title: undefined },
      person: { accountId: String(lin.id), name: 'Lin', language: 'zh' },
      messageId: `${id}@${telegram.botUser.id}`,
      text: '看看 src',
      files: [],
      replyTo: undefined,
      isForUs: true,
    });
    await telegram.until(() => telegram.pendingUpdates() === 0);
  });

  test('the same number from another bot is another message [UAP-35]', () => {
    const message = { message_id: 3, date: 1, chat: { id: 5, type: 'private' }, from: { id: 5, first_name: 'Ann' } };
    const heardBy = (id: number) => {
      const reader = { me: { id, username: 'a_bot' }, fetchFile: () => Promise.reject(new Error('there is none')) };
      return readUpdate({ update_id: 9, message: { ...message, text: 'hi' } } as never, reader as never);
    };
    expect(heardBy(7)).toMatchObject({ id: 'message 7 5 3', messageId: '3@7' });
    expect(heardBy(8)).toMatchObject({ id: 'message 8 5 3', messageId: '3@8' });
  });

  test('in a group it is told what is meant for the bot, and nothing that is meant for another [UAP-35]', async () => {
    const { telegram, channel, ann, heard } = await openBot({ fake: { readsAll: true } });
    const group = telegram.addGroup({ title: 'Team', forum: true, by: ann });
    const thread = telegram.addTopic(group, ann, 'Doors');
    await channel.listen();
    const post = await channel.deliver(
      deliveryOf({ chatId: `${group.id}/${thread}`, kind: 'group', language: 'en' }, lineBody('Yes?')),
    );
    telegram.say(group, ann, 'only among us');
    telegram.say(group, ann, { text: `@${telegram.botUser.username} paint it`, thread });
    telegram.say(group, ann, { text: 'red', thread, replyTo: Number.parseInt(post.messageId!, 10) });
    telegram.say(group, ann, '/stop@another_bot');
    telegram.say(group, ann, `/stop@${telegram.botUser.username} now`);
    telegram.say(group, ann, '/sessions');
    await telegram.until(() => said(heard).includes('/sessions'));
    // What is urgent may come before what was said earlier.
    const inGroup = heard
      .filter(({ chat }) => chat.kind === 'group')
      .toSorted((one, other) => numberOf(one) - numberOf(other));
    expect(inGroup.map((each) => [each.chat.chatId, ...said([each]), each.type === 'message' && each.isForUs])).toEqual(
      [
        [String(group.id), 'joined', false],
        [String(group.id), 'only among us', false],
        [`${group.id}/${thread}`, 'paint it', true],
        [`${group.id}/${thread}`, 'red', true],
        [String(group.id), '/stop now', true],
        [String(group.id), '/sessions', true],
      ],
    );
    expect(inGroup[3]).toMatchObject({ replyTo: post.messageId });
    expect(inGroup[2]).toMatchObject({ replyTo: undefined });
  });

  test('pictures, files and voices come with their bytes, an album as one, and too large ones are told so [UAP-35]', async () => {
    const { telegram, channel, ann, heard } = await openBot();
    const bytes = (text: string) => new TextEncoder().encode(text);
    telegram.say(ann, ann, { photo: bytes('first'), caption: 'Both of them', mediaGroup: 'album' });
    telegram.say(ann, ann, { photo: bytes('second'), mediaGroup: 'album' });
    telegram.say(ann, ann, { document: { bytes: bytes('a,b'), name: 'a.csv', mediaType: 'text/csv' } });
    telegram.say(ann, ann, { voice: { bytes: bytes('hm'), seconds: 1 } });
    telegram.say(ann, ann, {
      document: { bytes: new Uint8Array(20_000_001), name: 'big.bin', mediaType: 'application/zip' },
    });
    await channel.listen();
    await telegram.until(() => heard.length === 5);
    const files = heard.flatMap((each) => (each.type === 'message' ? [each.files] : []));
    expect(files.map((all) => all.map(({ kind, mediaType }) => [kind, mediaType]))).toEqual([
      [],
      [
        ['image', 'image/jpeg'],
        ['image', 'image/jpeg'],
      ],
      [['file', 'text/csv']],
      [['voice', 'audio/ogg']],
      [['file', 'application/zip']],
    ]);
    const read = await Promise.all(
      files
        .slice(0, 4)
        .flat()
        .map((file) => file.read(signal)),
    );
    expect(read.map((each) => Buffer.from(each).toString())).toEqual(['first', 'second', 'a,b', 'hm']);
    expect(said(heard)[1]).toBe('Both of them');
    const refused: unknown = await files[4]![0]!.read(signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DragomanError);
    expect(refused).toMatchObject({
      code: 'too-large',
      message: 'big.bin is 20.0 MB; bots can download at most 20 MB from Telegram. Attach it in the console instead.',
    });
  });

  test('a press is answered with what was said to it [UAP-35]', async () => {
    const { telegram, channel, ann, chat, heard } = await openBot({
      hear: async ({ type }) => (type === 'press' ? { text: 'Allowed.', isRefused: false } : undefined),
    });
    await channel.listen();
    const buttons = [[{ label: 'Allow', action: 0 }]];
    const { messageId } = await channel.deliver(deliveryOf(chat, lineBody('May I?', buttons)));
    expect(await telegram.press(ann, ann, Number.parseInt(messageId!, 10), 'Allow')).toMatchObject({
      text: 'Allowed.',
    });
    expect(heard.at(-1)).toMatchObject({ type: 'press', action: 'post_1.0', person: { accountId: String(ann.id) } });
  });

  test('that a message was changed is heard, with what it says now [UAP-35]', async () => {
    const { telegram, channel, ann, heard } = await openBot();
    await channel.listen();
    const messageId = telegram.say(ann, ann, 'Paint it red.');
    await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'message', text: 'Paint it red.' });

    telegram.edit(ann, messageId, 'Paint it blue.');

    await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'edited', text: 'Paint it blue.' });
    const [said, changed] = heard.slice(-2);
    expect(changed).toMatchObject({ chat: said!.chat, person: said!.person });
    expect(changed).toMatchObject({ messageId: (said as { messageId: string }).messageId });
  });

  test('nobody waits for the answer to a press to arrive [UAP-35]', async () => {
    const { telegram, channel, ann, chat, heard } = await openBot();
    await channel.listen();
    const { messageId } = await channel.deliver(deliveryOf(chat, lineBody('May I?', [[{ label: 'Yes', action: 0 }]])));
    await telegram.until(() => telegram.pendingUpdates() === 0);
    telegram.faults = ({ method }) => (method === 'answerCallbackQuery' ? 'hang' : undefined);
    void telegram.press(ann, ann, Number.parseInt(messageId!, 10), 'Yes').catch(() => {});
    await telegram.until(() => telegram.calls.count('answerCallbackQuery') === 1);
    telegram.say(ann, ann, 'and now?');
    await telegram.until(() => telegram.pendingUpdates() === 0);
    expect(said(heard)).toEqual(['/start', 'press', 'and now?']);
  });

  test('being blocked and let in again is heard [UAP-35]', async () => {
    const { telegram, channel, ann, heard } = await openBot();
    await channel.listen();
    telegram.block(ann);
    telegram.unblock(ann);
    await telegram.until(() => heard.length === 3);
    expect(said(heard)).toEqual(['/start', 'left', 'joined']);
  });

  test('what could not be stored is tried again, and acknowledged only then [UAP-35]', async () => {
    const unacknowledged: number[] = [];
    const { telegram, channel, ann, heard } = await openBot({
      hear: async (each) => {
        if (each.type !== 'message' || each.text !== 'hard') return undefined;
        unacknowledged.push(telegram.pendingUpdates());
        if (unacknowledged.length < 3) throw new Error('no database');
        return undefined;
      },
    });
    telegram.say(ann, ann, 'hard');
    telegram.say(ann, ann, 'easy');
    await channel.listen();
    await telegram.until(() => telegram.pendingUpdates() === 0);
    expect(said(heard)).toEqual(['/start', 'hard', 'hard', 'hard', 'easy']);
    expect(unacknowledged).toHaveLength(3);
    expect(Math.min(...unacknowledged)).toBeGreaterThanOrEqual(2);
  });

  test('one update that nobody can read does not stop the others, and nothing of it is logged [UAP-35]', async () => {
    const { telegram, channel, ann, heard, logged } = await openBot();
    const broken = { update_id: 1, message: { message_id: 5, text: 'my secret', chat: null, from: { id: 3 } } };
    let isServed = false;
    telegram.faults = ({ method }) => {
      if (method !== 'getUpdates' || isServed) return undefined;
      isServed = true;
      return { status: 200, body: { ok: true, result: [broken] } };
    };
    await channel.listen();
    telegram.say(ann, ann, 'still there?');
    await telegram.until(() => heard.length === 2);
    expect(said(heard)).toEqual(['/start', 'still there?']);
    expect(logged).toMatchObject([{ updateId: 1, message: 'could not read an update' }]);
    expect(JSON.stringify(logged)).not.toContain('my secret');
  });

  test('a second program on the same token is trouble with a reason, and a token that is no more is a failure [UAP-35]', async () => {
    const { telegram, channel, ann, states } = await openBot();
    let conflicts = 1;
    const conflict = { ok: false, error_code: 409, description: 'Conflict: terminated by other getUpdates request' };
    telegram.faults = ({ method }) =>
      method === 'getUpdates' && conflicts-- > 0 ? { status: 409, body: conflict } : undefined;
    await channel.listen();
    await expect.poll(() => states.length, { timeout: 60_000 }).toBe(3);
    expect(states.map(({ type }) => type)).toEqual(['on', 'trouble', 'on']);
    expect(states[1]).toMatchObject({ reason: expect.stringContaining('with the same token') });
    telegram.revokeToken();
    telegram.say(ann, ann, 'anybody there?');
    await expect
      .poll(() => states.at(-1), { timeout: 60_000 })
      .toEqual({
        type: 'failed',
        reason: 'Telegram said: Unauthorized. The token is no longer valid. Get a new one from @BotFather.',
      });
  });

  test('commands are announced in both languages, a webhook of before is taken down, and the bot is known [UAP-35]', async () => {
    const { telegram, channel } = await openBot();
    expect(channel.bot()).toBeUndefined();
    await channel.listen();
    expect(telegram.commandsFor().find(({ command }) => command === 'stop')?.description).toMatch(/stop/i);
    expect(telegram.commandsFor({ language: 'zh' }).find(({ command }) => command === 'stop')?.description).toContain(
      '停',
    );
    expect(telegram.calls.count('deleteWebhook')).toBe(1);
    const link = `https://t.me/${telegram.botUser.username}`;
    expect(channel.bot()).toMatchObject({ name: `@${telegram.botUser.username}`, link });
    expect(channel.bot()!.bindLink!('K7-22')).toBe(`${link}?start=K7-22`);
  });
});

describe('by webhook', () => {
  const open = () => openBot({ settings: { receive: 'webhook' }, publicUrl: 'https://dragoman.example' });

  test('Telegram is told where to call, and what it says is heard when it proves itself [UAP-35]', async () => {
    const { telegram, channel, ann, heard } = await open();
    await channel.listen();
    expect(telegram.webhook()).toMatchObject({ url: 'https://dragoman.example/channels/telegram' });
    const update = {
      update_id: 9,
      message: {
        message_id: 8,
        date: 1,
        chat: { id: ann.id, type: 'private', first_name: 'Ann' },
        from: ann,
        text: 'hi',
      },
    };
    const body = Buffer.from(JSON.stringify(update));
    const secret = webhookSecret(telegram.token);
    const call = (headers: Record<string, string>, bytes = body) => channel.receive({ headers, body: bytes });
    expect(await call({})).toEqual({ status: 401 });
    expect(await call({ 'x-telegram-bot-api-secret-token': `${secret}0` })).toEqual({ status: 401 });
    expect(await call({ 'x-telegram-bot-api-secret-token': secret }, Buffer.from('{'))).toEqual({ status: 400 });
    expect(heard).toEqual([]);
    expect(await call({ 'x-telegram-bot-api-secret-token': secret })).toEqual({ status: 200, body: {} });
    expect(said(heard)).toEqual(['hi']);
  });

  test('what could not be stored is not acknowledged, and why is told; what fails by itself is given up [UAP-35]', async () => {
    let failure: Error | undefined = new Error('no database');
    const { telegram, channel, ann, states, logged } = await openBot({
      settings: { receive: 'webhook' },
      publicUrl: 'https://dragoman.example',
      hear: async () => {
        if (failure !== undefined) throw failure;
        return undefined;
      },
    });
    const update = {
      update_id: 9,
      message: { message_id: 8, date: 1, chat: { id: ann.id, type: 'private' }, from: ann, text: 'hi' },
    };
    const headers = { 'x-telegram-bot-api-secret-token': webhookSecret(telegram.token) };
    const call = () => channel.receive({ headers, body: Buffer.from(JSON.stringify(update)) });
    for (let attempt = 0; attempt < 8; attempt += 1) expect(await call()).toEqual({ status: 503 });
    expect(states.at(-1)).toMatchObject({ type: 'trouble', reason: expect.stringContaining('nothing is lost') });
    failure = undefined;
    expect(await call()).toEqual({ status: 200, body: {} });
    expect(states.at(-1)).toEqual({ type: 'on' });

    failure = new TypeError('my secret is not a function');
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await call()).toEqual({ status: 503 });
    expect(await call()).toEqual({ status: 200, body: {} });
    expect(logged).toMatchObject([{ updateId: 9, reason: 'TypeError' }]);
  });

  test('without a public address it says what to do, and where polling is set nothing is taken [UAP-35]', async () => {
    const { channel, states } = await openBot({ settings: { receive: 'webhook' }, publicUrl: 'http://localhost:4747' });
    await channel.listen();
    expect(states).toMatchObject([{ type: 'failed', reason: expect.stringContaining('server.publicUrl') }]);
    const polling = await openBot();
    expect(await polling.channel.receive({ headers: {}, body: Buffer.from('{}') })).toEqual({ status: 404 });
  });
});

describe('the check', () => {
  test('says what is right and what could be better [UAP-35]', async () => {
    const { channel } = await openBot();
    await channel.listen();
    const steps = await channel.check('en');
    expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'token ok',
      'receive ok',
      'groups ok',
      'topics ok',
    ]);
    expect(steps[2]).toMatchObject({
      text: expect.stringContaining('privacy mode'),
      fix: expect.stringContaining('/setprivacy'),
    });
  });

  test('says what is wrong and what to do [UAP-35]', async () => {
    const { telegram, channel } = await openBot({ settings: { receive: 'webhook' } });
    expect((await channel.check('zh')).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'token ok',
      'address missing',
      'receive missing',
      'groups ok',
      'topics ok',
    ]);
    telegram.revokeToken();
    expect(await channel.check('en')).toEqual([
      {
        id: 'token',
        title: 'Token',
        state: 'wrong',
        text: 'Telegram rejected this token.',
        fix: 'Send `/mybots` to @BotFather, choose the bot and “API Token”, copy it, and paste it here.',
      },
    ]);
    await telegram.close();
    expect(await channel.check('en')).toMatchObject([{ id: 'token', state: 'unknown' }]);
  });
});
