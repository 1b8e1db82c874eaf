import { describe, expect, test } from 'vitest';
import type { Receipt } from '../channels/channel.ts';
import type { LarkBody } from './cards/lark-body.ts';
import {
  cardBody,
  finished,
  larkScene,
  type LarkScene,
  privateChat,
  streaming,
  TestPost,
  UNLIMITED,
} from './lark-channel.fixture.ts';

const CONTENT = 'PUT cardkit/v1/cards/:card_id/elements/:element_id/content';
const WHOLE = 'PUT cardkit/v1/cards/:card_id';
const SETTINGS = 'PATCH cardkit/v1/cards/:card_id/settings';
const MAKE = 'POST cardkit/v1/cards';
const SEND = 'POST im/v1/messages';

async function scene(options: Parameters<typeof larkScene>[0] = {}) {
  const opened = await larkScene({ ...options, fake: { limits: UNLIMITED, ...options.fake } });
  const ann = opened.lark.addUser({ name: 'Ann' });
  return { ...opened, ann, post: new TestPost(privateChat(ann.chatId)) };
}

/** The calls that are about cards and messages, without the token. */
function asked({ lark }: LarkScene): string[] {
  return lark.calls.all.map((call) => call.endpoint).filter((endpoint) => !endpoint.startsWith('POST auth/'));
}

describe('a card that is streamed', () => {
  test('is made, sent once, typed text by text, and finished with its summary [UAP-34]', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;

    await post.deliver(channel, streaming('The'));
    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ from: 'bot', text: 'The', card: { isStreaming: true } }]);
    await post.deliver(channel, streaming('The answer'));
    await post.deliver(channel, streaming('The answer is 42.'));
    await post.deliver(channel, finished('The answer is 42.'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([
      { from: 'bot', text: 'The answer is 42.', card: { isStreaming: false } },
    ]);
    expect([...lark.cards.values()].map((card) => (card.card['config'] as Record<string, unknown>)['summary'])).toEqual(
      [{ content: 'Done.' }],
    );
    expect(asked(all)).toEqual([MAKE, SEND, CONTENT, CONTENT, SETTINGS]);
    expect(lark.calls.all.flatMap(({ body }) => ('sequence' in body ? [body['sequence']] : []))).toEqual([1, 2, 3]);
    expect(lark.calls.all.find((call) => call.endpoint === SEND)?.body['uuid']).toBe(post.nonce);
  });

  test('a change of more than one text replaces the card, and one without a difference asks nothing', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    const two = (first: string, second: string): LarkBody =>
      cardBody(
        [
          { tag: 'markdown', element_id: 'a', content: first },
          { tag: 'markdown', element_id: 'b', content: second },
        ],
        { isStreaming: true },
      );

    await post.deliver(channel, two('1', '1'));
    await post.deliver(channel, two('2', '2'));
    await post.deliver(channel, two('2', '2'));

    expect(asked(all)).toEqual([MAKE, SEND, WHOLE]);
    expect(lark.messagesIn(ann.chatId)[0]?.lines).toEqual(['2', '2']);
  });

  test('1,000 tokens at 50 a second cost at most 40 calls', async () => {
    const all = await scene();
    const { channel, post } = all;
    const chat = privateChat(all.ann.chatId);
    const tokens = Array.from({ length: 1000 }, (_, index) => `word${index} `);

    const perPace = Math.ceil((50 * channel.paceMs(chat)) / 1000);
    for (let shown = perPace; shown < 1000; shown += perPace)
      await post.deliver(channel, streaming(tokens.slice(0, shown).join('')));
    await post.deliver(channel, finished(tokens.join('')));

    expect(asked(all).length).toBeLessThanOrEqual(40);
  });

  test('an answer that goes on in a second card leaves the first one finished', async () => {
    const all = await scene();
    const { channel, lark, ann } = all;
    const [first, second] = [new TestPost(privateChat(ann.chatId)), new TestPost(privateChat(ann.chatId))];

    await first.deliver(channel, streaming('Part one'));
    await first.deliver(channel, finished('Part one'));
    await second.deliver(channel, streaming('Part two'));
    await second.deliver(channel, finished('Part two, the end'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([
      { text: 'Part one', card: { isStreaming: false } },
      { text: 'Part two, the end', card: { isStreaming: false } },
    ]);
  });

  test('the mode is opened again before its ten minutes are over', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;

    await post.deliver(channel, streaming('one'));
    for (const minutes of [5, 9.5, 14, 18.9, 23, 40]) {
      lark.advance(minutes * 60_000 - (lark.now() - lark.messagesIn(ann.chatId)[0]!.createdAt));
      await post.deliver(channel, streaming(`one until minute ${minutes}`));
      expect(lark.messagesIn(ann.chatId)[0]?.card?.isStreaming).toBe(true);
    }

    expect(lark.messagesIn(ann.chatId)[0]?.text).toBe('one until minute 40');
    expect(lark.calls.all.filter((call) => call.outcome !== 0)).toEqual([]);
  });

  test('a mode that Lark closed by itself is opened and the text written once more', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    await post.deliver(channel, streaming('one'));
    lark.closeIdleStream(lark.messagesIn(ann.chatId)[0]!.card!.cardId);

    await post.deliver(channel, streaming('one two'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two', card: { isStreaming: true } }]);
    expect(lark.calls.all.filter(({ endpoint }) => endpoint === CONTENT).map((call) => call.outcome)).toEqual([
      200850, 0,
    ]);
  });

  test('elements that Lark does not know are mended with the whole card', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    await post.deliver(channel, streaming('one'));
    lark.faults = (call) => (call.endpoint === CONTENT ? { status: 400, code: 300313 } : undefined);

    await post.deliver(channel, streaming('one two'));

    expect(asked(all)).toEqual([MAKE, SEND, CONTENT, WHOLE]);
    expect(lark.messagesIn(ann.chatId)[0]?.text).toBe('one two');
  });
});

describe('the order of changes', () => {
  test('after a restart it goes on well above what was stored, with the whole card', async () => {
    const all = await scene();
    const { channel, post, lark, ann, reopen } = all;
    await post.deliver(channel, streaming('one'));
    const stored = post.receipt!;
    for (let count = 0; count < 30; count += 1) await post.deliver(channel, streaming(`one ${count}`));
    post.receipt = stored; // What the store knew when the process died.
    post.restart();

    await post.deliver(await reopen(), finished('one two three'));

    expect(lark.calls.all.filter((call) => call.outcome === 300317)).toEqual([]);
    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two three', card: { isStreaming: false } }]);
  });

  test('a number that is too low is leapt over', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    await post.deliver(channel, streaming('one'));
    lark.cards.get(lark.messagesIn(ann.chatId)[0]!.card!.cardId)!.sequence = 5000;

    await post.deliver(channel, streaming('one two'));

    expect(lark.messagesIn(ann.chatId)[0]?.text).toBe('one two');
    expect(post.receipt).toMatchObject({ data: { sequence: 101_003 } });
  });
});

describe('a message whose answer is lost', () => {
  test('is there once, with the newest text', async () => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    lark.faults = (call) => (call.endpoint === SEND ? 'drop-after' : undefined);
    await expect(post.deliver(channel, streaming('one'))).rejects.toMatchObject({ problem: { type: 'uncertain' } });
    lark.faults = undefined;

    await post.deliver(channel, streaming('one two'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two', card: { isStreaming: true } }]);
    expect(lark.cards.size).toBe(1);
  });

  test('is found again by another process, which made a card of its own', async () => {
    const all = await scene();
    const { channel, post, lark, ann, reopen } = all;
    lark.faults = (call) => (call.endpoint === SEND ? 'drop-after' : undefined);
    await expect(post.deliver(channel, streaming('one'))).rejects.toMatchObject({ problem: { type: 'uncertain' } });
    lark.faults = undefined;
    post.restart(true);

    const second = await reopen();
    await post.deliver(second, streaming('one two'));
    await post.deliver(second, finished('one two three'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two three', card: { isStreaming: false } }]);
  });

  test('nobody waits for an answer for ever', async () => {
    const { channel, post, lark, ann } = await scene({ times: { answerMs: 2_500 } });
    lark.faults = (call) => (call.endpoint === SEND ? 'hang-after' : undefined);
    await expect(post.deliver(channel, streaming('one'))).rejects.toMatchObject({ problem: { type: 'uncertain' } });
    lark.faults = (call) => (call.endpoint === CONTENT ? 'hang' : undefined);
    await expect(post.deliver(channel, streaming('one two'))).rejects.toMatchObject({ problem: { type: 'uncertain' } });
    lark.faults = undefined;

    await post.deliver(channel, finished('one two three'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two three', card: { isStreaming: false } }]);
  });

  test.each(['drop-before', 'drop-after'] as const)('a change that ends in %s is done again', async (fault) => {
    const all = await scene();
    const { channel, post, lark, ann } = all;
    await post.deliver(channel, streaming('one'));
    lark.faults = (call) => (call.endpoint === CONTENT ? fault : undefined);
    await expect(post.deliver(channel, streaming('one two'))).rejects.toMatchObject({ problem: { type: 'later' } });
    lark.faults = undefined;

    await post.deliver(channel, finished('one two three'));

    expect(lark.messagesIn(ann.chatId)).toMatchObject([{ text: 'one two three', card: { isStreaming: false } }]);
    expect(lark.calls.all.filter((call) => call.outcome === 300317)).toEqual([]);
  });
});

describe('what Lark answers', () => {
  const first = async (fault: { status: number; code: number; headers?: Record<string, string> }, endpoint = SEND) => {
    const all = await scene({ fake: { faults: (call) => (call.endpoint === endpoint ? fault : undefined) } });
    return await all.post.deliver(all.channel, finished('secret words')).then(
      () => ({ type: 'delivered' }),
      (error: { problem: unknown; message: string }) => error,
    );
  };

  test.each([
    [
      { status: 429, code: 99991400, headers: { 'x-ogw-ratelimit-reset': '7' } },
      { type: 'later', afterMs: 7000 },
    ],
    [
      { status: 400, code: 99991400 },
      { type: 'later', afterMs: 1000 },
    ],
    [{ status: 500, code: 2200 }, { type: 'uncertain' }],
    [{ status: 502, code: 0 }, { type: 'uncertain' }],
    [
      { status: 400, code: 230049 },
      { type: 'later', afterMs: 1000 },
    ],
    [{ status: 400, code: 230002 }, { type: 'closed' }],
    [{ status: 400, code: 230013 }, { type: 'closed' }],
    [{ status: 400, code: 230099 }, { type: 'refused' }],
    [{ status: 400, code: 230006 }, { type: 'revoked' }],
    [{ status: 400, code: 99991672 }, { type: 'refused' }],
    [{ status: 400, code: 99991663 }, { type: 'revoked' }],
  ])('%o to a message is %o', async (fault, problem) => {
    expect(await first(fault)).toMatchObject({ problem });
  });

  test.each([
    [{ status: 503, code: 0 }, { type: 'later' }],
    [{ status: 400, code: 300305 }, { type: 'refused' }],
    [{ status: 400, code: 11310 }, { type: 'refused' }],
  ])('%o to the making of a card is %o', async (fault, problem) => {
    expect(await first(fault, MAKE)).toMatchObject({ problem });
  });

  test('a refusal names the code and says nothing of what was sent', async () => {
    expect(((await first({ status: 400, code: 230099 })) as { message: string }).message).toBe(
      'Lark answered with code 230099: the card was rejected.',
    );
  });

  test.each([
    [{ status: 400, code: 200740 }, { type: 'gone' }],
    [{ status: 400, code: 200750 }, { type: 'gone' }],
    [{ status: 400, code: 230011 }, { type: 'gone' }],
    [
      { status: 400, code: 200810 },
      { type: 'later', afterMs: 1000 },
    ],
    [{ status: 500, code: 0 }, { type: 'later' }],
    [{ status: 400, code: 300305 }, { type: 'refused' }],
  ])('%o to a change is %o', async (fault, problem) => {
    const { channel, post, lark } = await scene();
    await post.deliver(channel, streaming('one'));
    lark.faults = () => fault;

    await expect(post.deliver(channel, streaming('one two'))).rejects.toMatchObject({ problem });
  });

  test('a card older than 14 days is gone', async () => {
    const { channel, post, lark } = await scene();
    await post.deliver(channel, finished('one'));
    lark.advance(15 * 86_400_000);

    await expect(post.deliver(channel, finished('two'))).rejects.toMatchObject({ problem: { type: 'gone' } });
  });

  test('a token that is not taken any more is fetched anew once, and an app whose secret changed is revoked', async () => {
    const { channel, post, lark, ann } = await scene();
    await post.deliver(channel, streaming('one'));
    lark.advance(3 * 3_600_000);

    await post.deliver(channel, streaming('one two'));
    expect(lark.messagesIn(ann.chatId)[0]?.text).toBe('one two');

    lark.revoke();
    await expect(post.deliver(channel, streaming('one two three'))).rejects.toMatchObject({
      problem: { type: 'revoked' },
      message: 'Lark answered with code 10014: the App Secret is wrong. Copy it from "Credentials & Basic Info".',
    });
  });

  test('an app that is switched off is revoked, and a chat without the bot is closed', async () => {
    const { channel, lark, ann } = await scene();
    const team = lark.addGroup({ name: 'Team', members: [ann], hasBot: false });
    const inTeam = new TestPost({ chatId: team.chatId, kind: 'group', language: 'en' });

    await expect(inTeam.deliver(channel, finished('one'))).rejects.toMatchObject({ problem: { type: 'closed' } });
    lark.block(ann);
    await expect(new TestPost(privateChat(ann.chatId)).deliver(channel, finished('one'))).rejects.toMatchObject({
      problem: { type: 'closed' },
    });
    lark.disable();
    await expect(inTeam.deliver(channel, finished('one'))).rejects.toMatchObject({ problem: { type: 'revoked' } });
  });

  test('a server that is not there is asked later', async () => {
    const { channel, post, lark } = await scene();
    await lark.close();

    await expect(post.deliver(channel, finished('one'))).rejects.toMatchObject({ problem: { type: 'later' } });
  });
});

test('an answer to a message that was recalled is sent without it', async () => {
  const { channel, lark, ann } = await scene();
  const { messageId } = await new TestPost(privateChat(ann.chatId)).deliver(channel, finished('question'));
  const reply = () => new TestPost(privateChat(ann.chatId), { replyTo: messageId });

  await reply().deliver(channel, finished('first'));
  await lark.recall(messageId!);
  await reply().deliver(channel, finished('second'));

  expect(lark.messagesIn(ann.chatId)).toMatchObject([
    { text: 'first', replyTo: messageId },
    { text: 'second', replyTo: undefined },
  ]);
});

test('in a topic every message is a reply to the one that it began with', async () => {
  const { channel, lark, ann } = await scene();
  const team = lark.addGroup({ name: 'Team', members: [ann] });
  const group = { chatId: team.chatId, kind: 'group', language: 'en' } as const;
  const root: Receipt = await new TestPost(group).deliver(channel, finished('topic'));
  const topic = { ...group, chatId: `${team.chatId}/${root.messageId}` };

  await new TestPost(topic).deliver(channel, finished('inside'));

  const [first, second] = lark.messagesIn(team.chatId);
  expect(second).toMatchObject({ text: 'inside', replyTo: root.messageId, threadId: first?.threadId });
  expect(second?.threadId).toBeDefined();
});

test('nothing that was said and no token is logged', async () => {
  const { channel, post, lark, logged } = await scene();
  await post.deliver(channel, streaming('secret words'));
  lark.faults = (call) => (call.endpoint === CONTENT ? { status: 400, code: 99991663 } : undefined);
  await expect(post.deliver(channel, streaming('secret words and more'))).rejects.toMatchObject({
    problem: { type: 'revoked' },
  });

  expect(logged).toEqual([
    '{"channel":"lark","code":99991663,"message":"Lark refused the token; requesting a new one"}',
  ]);
});
