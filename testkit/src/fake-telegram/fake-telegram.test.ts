import { GrammyError, HttpError, InlineKeyboard, InputFile } from 'grammy';
import { describe, expect, test } from 'vitest';
import { randomTelegramFaults, type TelegramFault } from './fault.ts';
import { listen, openTelegram, PIXEL } from './fake-telegram.fixture.ts';

/** What the Bot API says to a call that it refuses. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error);
}

const free = { limits: false } as const;

describe('messages', () => {
  test('a bot that is grammY hears a person, answers, and changes the answer', async () => {
    const { telegram, bot, ann } = await openTelegram();
    listen(bot, async (context) => {
      const { message_id } = await context.reply('one *moment*', { parse_mode: 'MarkdownV2' });
      await context.api.editMessageText(ann.id, message_id, 'done');
    });

    const [answer] = await telegram.until(() => {
      const messages = telegram.botMessagesIn(ann);
      return messages[0]?.edits === 1 && messages;
    });

    expect(answer).toMatchObject({ text: 'done', entities: [], edits: 1, isFromBot: true });
    expect(telegram.calls.count('sendMessage')).toBe(1);
    await telegram.until(() => telegram.pendingUpdates() === 0);
  });

  test('text and buttons are seen as a person sees them', async () => {
    const { telegram, bot, ann } = await openTelegram();
    await bot.api.sendMessage(ann.id, '*Title*\n>said _so_\n```ts\nlet a\n```\n[docs](https://example.org/a)', {
      parse_mode: 'MarkdownV2',
      reply_markup: new InlineKeyboard().text('Yes', 'y').url('Open', 'https://example.org').row().text('No', 'n'),
    });

    const [message] = telegram.botMessagesIn(ann);
    expect(message!.text).toBe('Title\nsaid so\nlet a\n\ndocs');
    expect(message!.blocks).toEqual([
      { kind: 'text', text: 'Title', runs: [{ text: 'Title', styles: ['bold'] }] },
      {
        kind: 'quote',
        text: 'said so',
        runs: [
          { text: 'said ', styles: [] },
          { text: 'so', styles: ['italic'] },
        ],
      },
      { kind: 'pre', text: 'let a', language: 'ts', runs: [{ text: 'let a', styles: [] }] },
      { kind: 'text', text: 'docs', runs: [{ text: 'docs', styles: [], link: 'https://example.org/a' }] },
    ]);
    expect(message!.buttons).toEqual([
      [
        { text: 'Yes', callback_data: 'y' },
        { text: 'Open', url: 'https://example.org/' },
      ],
      [{ text: 'No', callback_data: 'n' }],
    ]);
  });

  test('what Telegram does not take is refused in its words', async () => {
    const { telegram, bot, ann } = await openTelegram(free);
    const stranger = telegram.addUser();
    const { message_id } = await bot.api.sendMessage(ann.id, 'x'.repeat(4096));
    const spoken = telegram.say(ann, ann, 'mine');
    const button = (data: string) => ({ reply_markup: new InlineKeyboard().text('b', data) });
    const link = (url: string) => ({ reply_markup: new InlineKeyboard().url('b', url) });

    expect(await refusal(bot.api.sendMessage(ann.id, 'x'.repeat(4097)))).toBe('400 Bad Request: message is too long');
    expect(await refusal(bot.api.sendMessage(ann.id, ''))).toBe('400 Bad Request: message text is empty');
    expect(await refusal(bot.api.sendMessage(ann.id, ' \n'))).toBe('400 Bad Request: text must be non-empty');
    expect(await refusal(bot.api.sendMessage(ann.id, 'a.', { parse_mode: 'MarkdownV2' }))).toBe(
      "400 Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    );
    expect(await refusal(bot.api.sendMessage(stranger.id, 'a'))).toBe('400 Bad Request: chat not found');
    expect(await refusal(bot.api.editMessageText(ann.id, message_id, 'x'.repeat(4096)))).toBe(
      '400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
    expect(await refusal(bot.api.editMessageText(ann.id, 999, 'a'))).toBe('400 Bad Request: message to edit not found');
    expect(await refusal(bot.api.editMessageText(ann.id, spoken, 'a'))).toBe(
      "400 Bad Request: message can't be edited",
    );
    expect(await refusal(bot.api.deleteMessage(ann.id, 999))).toBe('400 Bad Request: message to delete not found');
    expect(await refusal(bot.api.sendMessage(ann.id, 'a', button('é'.repeat(33))))).toBe(
      '400 Bad Request: BUTTON_DATA_INVALID',
    );
    expect(await refusal(bot.api.sendMessage(ann.id, 'a', link('http://localhost:4747')))).toBe(
      '400 Bad Request: BUTTON_URL_INVALID',
    );
    expect(await refusal(bot.api.sendMessage(ann.id, 'a', { reply_parameters: { message_id: 999 } }))).toBe(
      '400 Bad Request: message to be replied not found',
    );
    expect(telegram.botMessagesIn(ann)).toHaveLength(1);
  });

  test('an answer to a message that is gone is sent without it where that is allowed', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const first = telegram.say(ann, ann, 'question');
    const reply = (message_id: number) => ({ reply_parameters: { message_id, allow_sending_without_reply: true } });
    await bot.api.sendMessage(ann.id, 'to you', reply(first));
    telegram.deleteMessage(ann, first);
    await bot.api.sendMessage(ann.id, 'to nobody', reply(first));

    expect(telegram.botMessagesIn(ann).map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['to you', first],
      ['to nobody', undefined],
    ]);
  });

  test('an edit without buttons takes them away', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const reply_markup = new InlineKeyboard().text('b', 'd');
    const { message_id } = await bot.api.sendMessage(ann.id, 'a', { reply_markup });
    await bot.api.editMessageText(ann.id, message_id, 'a');
    expect(telegram.botMessagesIn(ann)[0]).toMatchObject({ text: 'a', buttons: [], edits: 1 });
  });

  test('private chats share one count of messages, each group has its own', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const bob = telegram.addUser({ name: 'Bob' });
    const group = telegram.addGroup();
    expect(telegram.say(bob, bob, 'hi')).toBe(2);
    expect((await bot.api.sendMessage(ann.id, 'a')).message_id).toBe(3);
    // The first one says that the bot came.
    expect((await bot.api.sendMessage(group.id, 'a')).message_id).toBe(2);
  });

  test('a draft is seen until a message takes its place, or half a minute passed', async () => {
    let now = 1_000_000;
    const { telegram, bot, ann } = await openTelegram({ now: () => now });
    const group = telegram.addGroup();
    await bot.api.sendMessageDraft(ann.id, 5, 'thinking *about* it', { parse_mode: 'MarkdownV2' });
    expect(telegram.draftsIn(ann)).toEqual([
      {
        draftId: 5,
        text: 'thinking about it',
        entities: [{ type: 'bold', offset: 9, length: 5 }],
        threadId: undefined,
        at: now,
      },
    ]);
    now += 30_000;
    expect(telegram.draftsIn(ann)).toEqual([]);
    await bot.api.sendMessageDraft(ann.id, 6, 'again');
    await bot.api.sendMessage(ann.id, 'there');
    expect(telegram.draftsIn(ann)).toEqual([]);
    expect(await refusal(bot.api.sendMessageDraft(group.id, 5, 'x'))).toBe('400 Bad Request: TEXTDRAFT_PEER_INVALID');
  });

  test('a server without drafts does not know the method', async () => {
    const { bot, ann } = await openTelegram({ drafts: false });
    expect(await refusal(bot.api.sendMessageDraft(ann.id, 5, 'x'))).toBe('404 Not Found');
  });
});

describe('files', () => {
  test('a photo and a document come with their bytes, and what a person sends can be fetched', async () => {
    const { telegram, bot, ann } = await openTelegram();
    await bot.api.sendPhoto(ann.id, new InputFile(PIXEL, 'a.png'), { caption: '*look*', parse_mode: 'MarkdownV2' });
    await bot.api.sendDocument(ann.id, new InputFile(Buffer.from('hello\r\n--x'), 'notes.txt'));
    expect(
      telegram.botMessagesIn(ann).map(({ text, file }) => [text, file?.kind, file?.name, file?.bytes.length]),
    ).toEqual([
      ['look', 'photo', 'a.png', PIXEL.length],
      ['', 'document', 'notes.txt', 10],
    ]);

    const heard = new Promise<string>((resolve) => {
      listen(bot, async ({ message, api }) => {
        if (message?.voice === undefined) return;
        const { file_path } = await api.getFile(message.voice.file_id);
        const answer = await fetch(`${telegram.url}/file/bot${telegram.token}/${file_path}`);
        resolve(await answer.text());
      });
    });
    telegram.say(ann, ann, { voice: { bytes: Buffer.from('a voice'), seconds: 2 } });
    expect(await heard).toBe('a voice');
  });

  test('a photo has a caption and no text, and what is no picture is no photo', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const { message_id } = await bot.api.sendPhoto(ann.id, new InputFile(PIXEL, 'a.png'));
    expect(await refusal(bot.api.editMessageText(ann.id, message_id, 'a'))).toBe(
      '400 Bad Request: there is no text in the message to edit',
    );
    await bot.api.editMessageCaption(ann.id, message_id, { caption: 'a' });
    expect(telegram.botMessagesIn(ann)[0]).toMatchObject({ text: 'a', edits: 1, file: { kind: 'photo' } });
    expect(await refusal(bot.api.sendPhoto(ann.id, new InputFile(Buffer.from('text'), 'a.png')))).toBe(
      '400 Bad Request: IMAGE_PROCESS_FAILED',
    );
    expect(await refusal(bot.api.getFile('none'))).toBe(
      '400 Bad Request: wrong file_id or the file is temporarily unavailable',
    );
  });
});

describe('people', () => {
  test('a press reaches the bot, and what it answers reaches the person', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const reply_markup = new InlineKeyboard()
      .text('Allow', 'a.1')
      .text('Deny', 'd.1')
      .url('Open', 'https://example.org/x');
    const { message_id } = await bot.api.sendMessage(ann.id, 'May it?', { reply_markup });
    listen(
      bot,
      (context) => context.callbackQuery && context.answerCallbackQuery(`heard ${context.callbackQuery.data}`),
    );

    expect(await telegram.press(ann, ann, message_id, 'Allow')).toEqual({ text: 'heard a.1' });
    expect(await telegram.press(ann, ann, message_id, 1)).toEqual({ text: 'heard d.1' });
    expect(await telegram.press(ann, ann, message_id, 'Open')).toEqual({ url: 'https://example.org/x' });
    await expect(telegram.press(ann, ann, message_id, 'Maybe')).rejects.toThrow('it has: "Allow", "Deny", "Open"');
    expect(await refusal(bot.api.answerCallbackQuery('1'))).toBe(
      '400 Bad Request: query is too old and response timeout expired or query ID is invalid',
    );
  });

  test('who blocks the bot, throws it out or takes its token away is noticed', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const group = telegram.addGroup();
    telegram.block(ann);
    telegram.kick(group);
    expect(await refusal(bot.api.sendMessage(ann.id, 'a'))).toBe('403 Forbidden: bot was blocked by the user');
    expect(await refusal(bot.api.sendMessage(group.id, 'a'))).toBe(
      '403 Forbidden: bot was kicked from the supergroup chat',
    );
    telegram.unblock(ann);
    await bot.api.sendMessage(ann.id, 'a');
    const updates = await bot.api.getUpdates();
    expect(updates.flatMap((update) => update.my_chat_member?.new_chat_member.status ?? [])).toEqual([
      'member',
      'kicked',
      'kicked',
      'member',
    ]);
    telegram.revokeToken();
    expect(await refusal(bot.api.getMe())).toBe('401 Unauthorized');
    telegram.issueToken();
    expect(await refusal(bot.api.getMe())).toBe('401 Unauthorized');
  });

  test('a bot that left a group is not a member of it', async () => {
    const { telegram, bot, ann } = await openTelegram();
    const group = telegram.addGroup({ title: 'Team' });
    expect(await bot.api.getChat(group.id)).toMatchObject({ id: group.id, type: 'supergroup', title: 'Team' });
    await bot.api.leaveChat(group.id);
    expect(await refusal(bot.api.getChat(group.id))).toBe('403 Forbidden: bot is not a member of the supergroup chat');
    telegram.invite(group, ann);
    await bot.api.sendMessage(group.id, 'back');
    expect(telegram.botMessagesIn(group)).toHaveLength(1);
  });

  test('in a group the bot hears what is for it, and everything only without privacy mode', async () => {
    for (const [readsAll, expected] of [
      [false, ['/help', '@dragoman_test_bot hi', 'to your message']],
      [true, ['/help', 'lunch?', '@dragoman_test_bot hi', '@bob hi', 'to your message', '/help@other_bot']],
    ] as const) {
      const { telegram, bot, ann } = await openTelegram({ readsAll });
      const group = telegram.addGroup({ title: 'Team', by: ann });
      const { message_id } = await bot.api.sendMessage(group.id, 'hello');
      telegram.say(group, ann, '/help');
      telegram.say(group, ann, 'lunch?');
      telegram.say(group, ann, '@dragoman_test_bot hi');
      telegram.say(group, ann, '@bob hi');
      telegram.say(group, ann, { text: 'to your message', replyTo: message_id });
      telegram.say(group, ann, '/help@other_bot');
      const updates = await bot.api.getUpdates();
      const heard = updates.flatMap(({ message }) => (message?.chat.id === group.id ? (message.text ?? []) : []));
      expect(heard).toEqual(expected);
    }
  });

  test('a group that becomes a supergroup answers with its new number', async () => {
    const { telegram, bot } = await openTelegram();
    const group = telegram.addGroup({ isBasic: true });
    expect((await bot.api.sendMessage(group.id, 'a')).message_id).toBe(3);
    const moved = telegram.migrate(group);
    const error = await bot.api.sendMessage(group.id, 'a').catch((thrown: unknown) => thrown);
    expect((error as GrammyError).parameters).toEqual({ migrate_to_chat_id: moved.id });
    expect((await bot.api.sendMessage(moved.id, 'a')).chat.type).toBe('supergroup');
    const updates = await bot.api.getUpdates();
    expect(updates.flatMap(({ message }) => message?.migrate_to_chat_id ?? [])).toEqual([moved.id]);
  });

  test('topics are places of their own', async () => {
    const { telegram, bot, ann } = await openTelegram({ privateTopics: true });
    const forum = telegram.addGroup({ forum: true });
    const plain = telegram.addGroup();
    const { message_thread_id } = await bot.api.createForumTopic(forum.id, 'Work');
    await bot.api.sendMessage(forum.id, 'in it', { message_thread_id });
    telegram.say(forum, ann, { text: '/status', thread: message_thread_id });
    expect(telegram.messagesIn(forum, { thread: message_thread_id }).map(({ text }) => text)).toEqual([
      'in it',
      '/status',
    ]);
    expect(await refusal(bot.api.sendMessage(forum.id, 'a', { message_thread_id: 99 }))).toBe(
      '400 Bad Request: message thread not found',
    );
    expect(await refusal(bot.api.createForumTopic(plain.id, 'x'))).toBe('400 Bad Request: the chat is not a forum');
    telegram.deleteTopic(forum, message_thread_id);
    expect(await refusal(bot.api.sendMessage(forum.id, 'a', { message_thread_id }))).toBe(
      '400 Bad Request: message thread not found',
    );
    const own = await bot.api.createForumTopic(ann.id, 'Own');
    await bot.api.sendMessage(ann.id, 'a', { message_thread_id: own.message_thread_id });
  });
});

describe('limits and faults', () => {
  test('a chat takes three messages at once and then one a second', async () => {
    let now = 1_000_000;
    const { telegram, bot, ann } = await openTelegram({ now: () => now });
    for (const text of ['1', '2', '3']) await bot.api.sendMessage(ann.id, text);
    expect(await refusal(bot.api.sendMessage(ann.id, '4'))).toBe('429 Too Many Requests: retry after 1');
    now += 1000;
    await bot.api.sendMessage(ann.id, '4');
    await bot.api.sendChatAction(ann.id, 'typing');
    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
    expect(telegram.actionsIn(ann)).toEqual(['typing']);
  });

  test('a group takes twenty a minute, all chats together thirty a second', async () => {
    let now = 1_000_000;
    const { telegram, bot } = await openTelegram({ now: () => now });
    const group = telegram.addGroup();
    for (let sent = 0; sent < 20; sent++, now += 1000) await bot.api.sendMessage(group.id, 'a');
    const error = await bot.api.sendMessage(group.id, 'a').catch((thrown: unknown) => thrown);
    expect((error as GrammyError).parameters).toEqual({ retry_after: 40 });

    const chats = Array.from({ length: 31 }, () => telegram.addGroup());
    const answers: string[] = [];
    for (const chat of chats) answers.push(await refusal(bot.api.sendMessage(chat.id, 'a')));
    expect(answers.filter((answer) => answer.startsWith('429'))).toEqual(['429 Too Many Requests: retry after 1']);
  });

  test('a fault is another answer, or a cut before or after the effect', async () => {
    const { telegram, bot, ann } = await openTelegram(free);
    const faults: (TelegramFault | undefined)[] = [
      { status: 500 },
      { status: 429, retryAfter: 7 },
      { status: 502, body: '<html></html>' },
      'drop-before',
      'drop-after',
    ];
    telegram.faults = (call) => (call.method === 'sendMessage' ? faults.shift() : undefined);

    expect(await refusal(bot.api.sendMessage(ann.id, '1'))).toBe('500 Internal Server Error');
    expect(await refusal(bot.api.sendMessage(ann.id, '2'))).toBe('429 Too Many Requests: retry after 7');
    await expect(bot.api.sendMessage(ann.id, '3')).rejects.toThrow(HttpError);
    await expect(bot.api.sendMessage(ann.id, '4')).rejects.toThrow(HttpError);
    await expect(bot.api.sendMessage(ann.id, '5')).rejects.toThrow(HttpError);
    await bot.api.sendMessage(ann.id, '6');

    expect(telegram.botMessagesIn(ann).map(({ text }) => text)).toEqual(['5', '6']);
    expect(telegram.calls.log.map(({ status }) => status)).toEqual([500, 429, 502, 0, 0, 200]);
  });

  test('a call that hangs ends when the client has had enough, with or without the effect', async () => {
    const { telegram, bot, ann } = await openTelegram(free);
    for (const fault of ['hang', 'hang-after'] as const) {
      telegram.faults = () => fault;
      const patience = new AbortController();
      const sent = bot.api.sendMessage(ann.id, fault, {}, patience.signal as never);
      sent.catch(() => {});
      await telegram.until(() => telegram.calls.log.at(-1)?.params['text'] === fault);
      patience.abort();
      await expect(sent).rejects.toThrow("Network request for 'sendMessage' failed!");
    }
    await telegram.until(() => telegram.botMessagesIn(ann).length === 1);
    expect(telegram.botMessagesIn(ann)[0]!.text).toBe('hang-after');
  });

  test('random faults are the same for the same seed', () => {
    const draw = (seed: number) => {
      const hook = randomTelegramFaults({ seed, rate: 0.5 });
      const call = { method: 'sendMessage', params: {}, chatId: 1, at: 0 };
      return Array.from({ length: 40 }, (_, number) => hook({ ...call, number }));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(1).filter((fault) => fault === undefined).length).toBeGreaterThan(5);
  });
});
