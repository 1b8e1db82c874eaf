import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openClient, openLark, PIXEL, refusal, textCard } from './fake-lark.fixture.ts';
import { randomLarkFaults } from './random-lark-faults.ts';

/** A text to a chat, by the SDK. */
function text(chatId: string, words: string, uuid?: string) {
  return {
    params: { receive_id_type: 'chat_id' as const },
    data: {
      receive_id: chatId,
      msg_type: 'text',
      content: JSON.stringify({ text: words }),
      ...(uuid === undefined ? {} : { uuid }),
    },
  };
}

describe('the app', () => {
  test('the SDK fetches one token and uses it for all calls', async () => {
    const { lark, client } = await openLark();

    const info = await client.request({ method: 'GET', url: '/open-apis/bot/v3/info' });
    await client.application.v6.scope.list();

    expect(info).toMatchObject({ code: 0, bot: { app_name: 'Dragoman', open_id: lark.bot.openId } });
    expect(lark.calls.counts()).toEqual({
      'GET application/v6/scopes': 1,
      'GET bot/v3/info': 1,
      'POST auth/v3/tenant_access_token/internal': 1,
    });
  });

  test('a token that is too old, and one that was never given, is refused', async () => {
    const { lark, client, ann } = await openLark();
    await client.im.v1.message.create(text(ann.chatId, 'one'));
    lark.advance(7_200_000);

    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'two')))).toBe('400 99991663');
    const bare = await fetch(`${lark.url}/open-apis/bot/v3/info`);
    expect([bare.status, await bare.json()]).toMatchObject([400, { code: 99991661 }]);
  });

  test('a wrong secret gets no token, a revoked and a disabled app get no answer', async () => {
    const { lark, client, ann } = await openLark();
    await client.im.v1.message.create(text(ann.chatId, 'one'));
    lark.revoke();
    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'two')))).toBe('400 99991663');
    lark.disable();
    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'three')))).toBe('400 99991662');

    const other = (await openLark()).lark;
    const stranger = openClient({ ...other, appSecret: 'wrong' });
    expect(await refusal(stranger.im.v1.message.create(text(ann.chatId, 'four')))).toBe(
      'failed to get tenant_access_token, code: 10014, msg: app secret invalid',
    );
  });

  test('a scope that is missing is named', async () => {
    const { lark, client } = await openLark();
    lark.scopes.delete('cardkit:card:write');

    const call = client.cardkit.v1.card.create({ data: { type: 'card_json', data: JSON.stringify(textCard('a')) } });

    expect(await refusal(call)).toBe('400 99991672');
  });

  test('the 51st call of a kind within a second is refused with the time to wait', async () => {
    let now = 1_000_000;
    const { client } = await openLark({ now: () => now });
    for (let call = 0; call < 50; call += 1) await client.application.v6.scope.list();

    const error = await client.application.v6.scope.list().catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      response: { status: 429, data: { code: 99991400 }, headers: { 'x-ogw-ratelimit-reset': '1' } },
    });
    now += 1000;
    expect(await refusal(client.application.v6.scope.list())).toBe('done');
  });
});

describe('messages', () => {
  test('a message with the same uuid is sent once within the hour, and twice after it', async () => {
    const { lark, client, ann } = await openLark();

    const first = await client.im.v1.message.create(text(ann.chatId, 'hello', 'u1'));
    const again = await client.im.v1.message.create(text(ann.chatId, 'hello', 'u1'));
    expect(again.data!.message_id).toBe(first.data!.message_id);
    expect(lark.messagesIn(ann.chatId).map((message) => message.text)).toEqual(['hello']);

    lark.advance(3_600_000);
    await client.im.v1.message.create(text(ann.chatId, 'hello', 'u1'));
    expect(lark.messagesIn(ann.chatId)).toHaveLength(2);
  });

  test('a reply in a thread hangs on its message', async () => {
    const { lark, client, ann } = await openLark();
    const { messageId } = await lark.say(ann.chatId, ann, 'question');

    const reply = await client.im.v1.message.reply({
      path: { message_id: messageId },
      data: { msg_type: 'text', content: '{"text":"answer"}', reply_in_thread: true, uuid: 'r1' },
    });

    expect(lark.messagesIn(ann.chatId).at(-1)).toMatchObject({
      from: 'bot',
      text: 'answer',
      replyTo: messageId,
      threadId: reply.data!.thread_id,
    });
  });

  test('what cannot be written is refused with the reason: a group without the bot, a person who blocks it, a recalled message', async () => {
    const { lark, client, ann } = await openLark();
    const group = lark.addGroup({ members: [ann] });
    const sent = await client.im.v1.message.create(text(ann.chatId, 'hello'));
    const path = { message_id: sent.data!.message_id! };
    await lark.kick(group.chatId);
    await lark.recall(path.message_id);
    lark.block(ann);

    expect(await refusal(client.im.v1.message.create(text(group.chatId, 'a')))).toBe('400 230002');
    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'a')))).toBe('400 230053');
    expect(await refusal(client.im.v1.message.create(text('oc_none', 'a')))).toBe('400 230001');
    expect(
      await refusal(client.im.v1.message.reply({ path, data: { msg_type: 'text', content: '{"text":"a"}' } })),
    ).toBe('400 230011');
    expect(lark.messagesIn(ann.chatId)).toEqual([]);
  });

  test('a sixth message to a chat within a second is too many', async () => {
    const { client, ann } = await openLark({ now: () => 1_000_000 });
    for (let count = 0; count < 5; count += 1) await client.im.v1.message.create(text(ann.chatId, 'a'));

    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'a')))).toBe('400 230020');
  });

  test('a card inside of a message is checked, and changed as a whole', async () => {
    const { lark, client, ann } = await openLark();
    const interactive = (card: unknown) => ({
      params: { receive_id_type: 'chat_id' as const },
      data: { receive_id: ann.chatId, msg_type: 'interactive', content: JSON.stringify(card) },
    });
    const old = textCard('a', {});
    (old['body'] as { elements: unknown[] }).elements.push({ tag: 'note', elements: [] });
    const error = await client.im.v1.message.create(interactive(old)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      response: { status: 400, data: { code: 230099, msg: expect.stringContaining('ErrCode: 200861') } },
    });
    expect(await refusal(client.im.v1.message.create(interactive(textCard('a'.repeat(31_000), {}))))).toBe(
      '400 230025',
    );

    const sent = await client.im.v1.message.create(interactive(textCard('before', {})));
    await client.im.v1.message.patch({
      path: { message_id: sent.data!.message_id! },
      data: { content: JSON.stringify(textCard('after', {})) },
    });

    expect(lark.messagesIn(ann.chatId).map((message) => message.text)).toEqual(['after']);
  });

  test('pictures and files go up within their limits, and come down as they were sent', async () => {
    const { lark, client, ann } = await openLark();
    const image = await client.im.v1.image.create({ data: { image_type: 'message', image: PIXEL } });
    await client.im.v1.message.create({
      params: { receive_id_type: 'chat_id' },
      data: { receive_id: ann.chatId, msg_type: 'image', content: JSON.stringify({ image_key: image!.image_key }) },
    });
    const said = await lark.say(ann.chatId, ann, { file: { bytes: Buffer.from('of Ann'), name: 'note.txt' } });
    const { file_key } = lark.messages.get(said.messageId)!.content as { file_key: string };

    const file = await client.im.v1.messageResource.get({
      path: { message_id: said.messageId, file_key },
      params: { type: 'file' },
    });

    expect(String(await buffer(file.getReadableStream()))).toBe('of Ann');
    expect(lark.messagesIn(ann.chatId)[0]).toMatchObject({ type: 'image', fileKey: image!.image_key });
    expect(Buffer.from(lark.files.get(image!.image_key!)!.bytes).equals(PIXEL)).toBe(true);
    expect(
      await refusal(client.im.v1.image.create({ data: { image_type: 'message', image: Buffer.from('text') } })),
    ).toBe('400 234011');
    const large = client.im.v1.file.create({
      data: { file_type: 'stream', file_name: 'large', file: Buffer.alloc(30 * 1024 * 1024 + 1) },
    });
    expect(await refusal(large)).toBe('400 234006');
  });
});

describe('faults', () => {
  test('a connection that breaks before leaves nothing, one that breaks after leaves the message', async () => {
    const { lark, client, ann } = await openLark();
    lark.faults = ({ body }) => {
      if (body['content'] === '{"text":"before"}') return 'drop-before';
      if (body['content'] === '{"text":"after"}') return 'drop-after';
      if (body['content'] === '{"text":"busy"}') return { status: 503, code: 2200 };
      return undefined;
    };

    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'before')))).toBe('socket hang up');
    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'after')))).toBe('socket hang up');
    expect(await refusal(client.im.v1.message.create(text(ann.chatId, 'busy')))).toBe('503 2200');

    expect(lark.messagesIn(ann.chatId).map((message) => message.text)).toEqual(['after']);
    expect(lark.calls.all.slice(1).map((call) => call.outcome)).toEqual(['drop-before', 'drop-after', 2200]);
  });

  test('a call that is never answered can have been done all the same', async () => {
    const { lark, client, ann } = await openLark();
    lark.faults = ({ endpoint }) => (endpoint === 'POST im/v1/messages' ? 'hang-after' : undefined);
    const waiting = refusal(client.im.v1.message.create(text(ann.chatId, 'hello')));

    await lark.until(() => lark.messagesIn(ann.chatId).length === 1);

    await lark.close();
    expect(await waiting).toBe('socket hang up');
  });

  test('a message that is tried with its uuid until it is answered is there once, whatever goes wrong', async () => {
    const limits = { perChat: undefined, perEndpoint: undefined, perEndpointMinute: undefined };
    const { lark, client, ann } = await openLark({ limits });
    await client.application.v6.scope.list();
    lark.faults = randomLarkFaults(20, { rate: 0.4 });
    const words = Array.from({ length: 60 }, (_, index) => `message ${index}`);

    for (const word of words) {
      let outcome: string;
      do outcome = await refusal(client.im.v1.message.create(text(ann.chatId, word, word)));
      while (outcome !== 'done');
    }

    expect(lark.messagesIn(ann.chatId).map((message) => message.text)).toEqual(words);
    expect(lark.calls.count('POST im/v1/messages')).toBeGreaterThan(words.length);
  });

  test('random faults are the same for the same seed', () => {
    const call = {
      number: 1,
      endpoint: 'GET x',
      params: {},
      query: {},
      body: {},
      upload: undefined,
      at: 0,
      outcome: undefined,
    };
    const faults = (seed: number) => {
      const hook = randomLarkFaults(seed, { rate: 0.5 });
      return Array.from({ length: 50 }, () => hook(call));
    };

    expect(faults(7)).toEqual(faults(7));
    expect(faults(7)).not.toEqual(faults(8));
    expect(faults(7).filter((fault) => fault !== undefined).length).toBeGreaterThan(10);
  });
});
