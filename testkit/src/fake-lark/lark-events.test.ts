import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adaptDefault } from '@larksuiteoapi/node-sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FakeLark } from './fake-lark.ts';
import { listen, openDispatcher, openLark, refusal, sendCard, textCard } from './fake-lark.fixture.ts';

type Heard = Record<string, unknown>;

/** A web server of the bot's. */
async function serve(lark: FakeLark, answer: (...exchange: Parameters<RequestListener>) => unknown): Promise<void> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  lark.useWebhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}/lark`);
}

const approval = {
  schema: '2.0',
  header: { title: { tag: 'plain_text', content: 'May it?' }, template: 'orange' },
  body: {
    elements: [
      {
        tag: 'button',
        element_id: 'yes',
        text: { tag: 'plain_text', content: 'Allow' },
        behaviors: [{ type: 'callback', value: { action: 'a.1' } }],
      },
      {
        tag: 'button',
        text: { tag: 'plain_text', content: 'Open' },
        behaviors: [{ type: 'open_url', default_url: 'https://example.org/s' }],
      },
      {
        tag: 'form',
        name: 'ask',
        elements: [
          { tag: 'input', name: 'why', required: true, placeholder: { tag: 'plain_text', content: 'Reason' } },
          {
            tag: 'button',
            name: 'send',
            form_action_type: 'submit',
            text: { tag: 'plain_text', content: 'Send' },
            behaviors: [{ type: 'callback', value: { action: 'a.2' } }],
          },
        ],
      },
    ],
  },
};

describe('the long connection', () => {
  test('the SDK connects, and hears what a person says', async () => {
    const { lark, ann } = await openLark();
    const heard: Heard[] = [];
    await listen(lark, { 'im.message.receive_v1': (data) => void heard.push(data) });

    const said = await lark.say(ann.chatId, ann, 'Hello');

    expect(said.isAcknowledged).toBe(true);
    expect(heard).toMatchObject([
      {
        event_type: 'im.message.receive_v1',
        app_id: lark.appId,
        token: lark.verificationToken,
        sender: { sender_id: { open_id: ann.openId }, sender_type: 'user' },
        message: {
          message_id: said.messageId,
          chat_id: ann.chatId,
          chat_type: 'p2p',
          message_type: 'text',
          content: '{"text":"Hello"}',
        },
      },
    ]);
  });

  test('a large event arrives whole, in pieces', async () => {
    const { lark, ann } = await openLark({ fragmentBytes: 1000 });
    const heard: Heard[] = [];
    await listen(lark, { 'im.message.receive_v1': (data) => void heard.push(data) });

    await lark.say(ann.chatId, ann, '长'.repeat(5000));

    expect((heard[0]!['message'] as Heard)['content']).toBe(JSON.stringify({ text: '长'.repeat(5000) }));
  });

  test('in a group the bot hears what mentions it, and everything only with the scope for it', async () => {
    const { lark, ann } = await openLark();
    const heard: Heard[] = [];
    await listen(lark, { 'im.message.receive_v1': (data) => void heard.push(data) });
    const group = lark.addGroup({ members: [ann] });

    expect(await lark.say(group.chatId, ann, 'among us')).toMatchObject({ isTold: false });
    await lark.say(group.chatId, ann, { text: 'do it', mentionBot: true });
    lark.scopes.add('im:message.group_msg');
    await lark.say(group.chatId, ann, 'now heard');

    expect(heard.map((event) => event['message'])).toMatchObject([
      {
        content: '{"text":"@_user_1 do it"}',
        mentions: [{ key: '@_user_1', id: { open_id: lark.bot.openId }, name: 'Dragoman' }],
      },
      { content: '{"text":"now heard"}' },
    ]);
    expect(lark.messagesIn(group.chatId).map((message) => message.text)).toEqual([
      'among us',
      '@Dragoman do it',
      'now heard',
    ]);
  });

  test('the SDK comes back after a cut, and gets what it did not acknowledge with the same event id', async () => {
    const { lark, ann } = await openLark();
    const heard: Heard[] = [];
    let isBroken = true;
    await listen(lark, {
      'im.message.receive_v1': (data) => {
        heard.push(data);
        if (isBroken) throw new Error('not stored');
      },
    });
    expect(await lark.say(ann.chatId, ann, 'Hello')).toMatchObject({ isAcknowledged: false });
    isBroken = false;
    lark.cutConnections();
    await lark.until(() => lark.connections() > 0);

    lark.advance(15_000);
    await lark.until(() => lark.deliveries[0]!.isAcknowledged);

    expect(heard).toHaveLength(2);
    expect(heard[0]!['event_id']).toBe(heard[1]!['event_id']);
    await lark.redeliver();
    expect(heard).toHaveLength(2);
    await lark.redeliver(lark.deliveries[0]!.eventId);
    expect(heard).toHaveLength(3);
  });

  test('a press is answered with a toast and a new card', async () => {
    const { lark, client, ann } = await openLark();
    const heard: Heard[] = [];
    await listen(lark, {
      'card.action.trigger': (data) => {
        heard.push(data);
        return {
          toast: { type: 'success', content: 'Allowed' },
          card: { type: 'raw', data: textCard('Ann allowed it', {}) },
        };
      },
    });
    const { messageId } = await sendCard(client, ann, approval);

    const outcome = await lark.press(ann.chatId, ann, messageId, 'Allow');

    expect(outcome).toMatchObject({
      toast: { type: 'success', content: 'Allowed' },
      isCardShown: true,
      errorCode: undefined,
    });
    expect(heard).toMatchObject([
      {
        operator: { open_id: ann.openId },
        action: { tag: 'button', value: { action: 'a.1' } },
        context: { open_message_id: messageId, open_chat_id: ann.chatId },
      },
    ]);
    expect(lark.messagesIn(ann.chatId)[0]!.lines).toEqual(['Ann allowed it']);
  });

  test('a form is sent with its fields, not without a required one, and a link sends nothing', async () => {
    const { lark, client, ann } = await openLark();
    const heard: Heard[] = [];
    await listen(lark, { 'card.action.trigger': (data) => void heard.push(data) });
    const { messageId } = await sendCard(client, ann, approval);

    await expect(lark.press(ann.chatId, ann, messageId, 'Send')).rejects.toThrow('why is required');
    await lark.press(ann.chatId, ann, messageId, 'send', { why: 'because' });
    expect(await lark.press(ann.chatId, ann, messageId, 'Open')).toMatchObject({ url: 'https://example.org/s' });

    expect(heard.map((event) => event['action'])).toMatchObject([
      { tag: 'button', name: 'send', value: { action: 'a.2' }, form_value: { why: 'because' } },
    ]);
    await expect(lark.press(ann.chatId, ann, messageId, 'Deny')).rejects.toThrow('it has: Allow, Open, Send');
  });

  test('while a press waits, its card cannot be changed', async () => {
    const { lark, client, ann } = await openLark();
    const changes: string[] = [];
    const { cardId, messageId } = await sendCard(client, ann, approval);
    const change = () =>
      client.cardkit.v1.card.settings({ path: { card_id: cardId }, data: { settings: '{"config":{}}', sequence: 1 } });
    await listen(lark, { 'card.action.trigger': async () => void changes.push(await refusal(change())) });

    await lark.press(ann.chatId, ann, messageId, 'yes');

    expect([...changes, await refusal(change())]).toEqual(['400 200810', 'done']);
  });

  test('a press that nobody answers is an error for the person', async () => {
    const { lark, client, ann } = await openLark({ answerTimeoutMs: 50 });
    const { messageId } = await sendCard(client, ann, approval);
    const socket = await listen(lark, { 'card.action.trigger': () => new Promise(() => {}) });

    expect(await lark.press(ann.chatId, ann, messageId, 'yes')).toMatchObject({ errorCode: 200341, toast: undefined });
    socket.close();
    await lark.until(() => lark.connections() === 0);
    expect(await lark.press(ann.chatId, ann, messageId, 'yes')).toMatchObject({ errorCode: 200340 });
  });

  test('a card that is being streamed is not replaced by the answer to a press', async () => {
    const { lark, client, ann } = await openLark();
    const { messageId } = await sendCard(client, ann, { ...approval, config: { streaming_mode: true } });
    await listen(lark, { 'card.action.trigger': () => ({ card: { type: 'raw', data: textCard('other', {}) } }) });

    expect(await lark.press(ann.chatId, ann, messageId, 'yes')).toMatchObject({ isCardShown: false });
    expect(lark.messagesIn(ann.chatId)[0]!.card!.title).toBe('May it?');
  });
});

describe('the webhook', () => {
  test("the SDK's own dispatcher checks the signature, decrypts the event and answers the challenge", async () => {
    const { lark, ann } = await openLark();
    const heard: Heard[] = [];
    const dispatcher = openDispatcher(lark, {
      'im.message.receive_v1': (data) => {
        heard.push(data);
        return {};
      },
    });
    await serve(lark, adaptDefault('/lark', dispatcher, { autoChallenge: true }));

    expect(await lark.verifyWebhook()).toBe(true);
    expect(await lark.say(ann.chatId, ann, 'Hello')).toMatchObject({ isAcknowledged: true });

    expect(heard).toMatchObject([{ event_type: 'im.message.receive_v1', message: { content: '{"text":"Hello"}' } }]);
  });

  test('a press and a choice are answered over it, and the callback token changes the card twice', async () => {
    const { lark, client, ann } = await openLark();
    const heard: Heard[] = [];
    const dispatcher = openDispatcher(lark, {
      'card.action.trigger': (data) => {
        heard.push(data);
        return { toast: { type: 'info', content: 'noted' } };
      },
    });
    await serve(lark, adaptDefault('/lark', dispatcher));
    const select = {
      tag: 'select_static',
      element_id: 'mode',
      options: [{ text: { tag: 'plain_text', content: 'Plan' }, value: 'plan' }],
      behaviors: [{ type: 'callback', value: { action: 'a.3' } }],
    };
    const { messageId } = await sendCard(client, ann, {
      ...approval,
      body: { elements: [...approval.body.elements, select] },
    });

    expect(await lark.press(ann.chatId, ann, messageId, 'Allow')).toMatchObject({ toast: { content: 'noted' } });
    expect(await lark.choose(ann.chatId, ann, messageId, 'mode', 'Plan')).toMatchObject({
      toast: { content: 'noted' },
    });
    expect(heard.map((event) => event['action'])).toMatchObject([
      { tag: 'button', value: { action: 'a.1' } },
      { tag: 'select_static', value: { action: 'a.3' }, option: 'plan' },
    ]);

    const update = (content: string) =>
      client.request({
        method: 'POST',
        url: '/open-apis/interactive/v1/card/update',
        data: { token: heard[0]!['token'], card: textCard(content, {}) },
      });
    await update('first');
    await update('second');
    expect(await refusal(update('third'))).toBe('400 300040');
    expect(lark.messagesIn(ann.chatId)[0]!.lines).toEqual(['second']);
  });

  test('with a key the body is encrypted and signed, without one it is plain', async () => {
    const bodies: { headers: Heard; body: string }[] = [];
    for (const encryptKey of ['key', undefined]) {
      const { lark, ann } = await openLark({ encryptKey });
      await serve(lark, async (request, response) => {
        bodies.push({ headers: request.headers, body: String(Buffer.concat(await request.toArray())) });
        response.end('{}');
      });
      await lark.say(ann.chatId, ann, 'Hello');
    }

    expect(bodies[0]!.body).toMatch(/^\{"encrypt":"[A-Za-z0-9+/]+=*"\}$/);
    expect(bodies[0]!.headers).toMatchObject({ 'x-lark-signature': expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.parse(bodies[1]!.body)).toMatchObject({
      schema: '2.0',
      header: { event_type: 'im.message.receive_v1' },
    });
    expect(bodies[1]!.headers).not.toHaveProperty('x-lark-signature');
  });

  test('an event is delivered again until the answer is 200', async () => {
    const { lark, ann } = await openLark();
    const statuses = [500, 404, 200];
    await serve(lark, (_, response) => response.writeHead(statuses.shift()!).end('{}'));

    expect(await lark.say(ann.chatId, ann, 'Hello')).toMatchObject({ isAcknowledged: false });
    await lark.redeliver();
    expect(lark.deliveries).toMatchObject([{ attempts: 2, isAcknowledged: false, outcome: 'failed with 200671' }]);
    await lark.redeliver();
    await lark.redeliver();

    expect(lark.deliveries).toMatchObject([{ attempts: 3, isAcknowledged: true }]);
  });
});
