import type { Client } from '@larksuiteoapi/node-sdk';
import { expect, test } from 'vitest';
import { openClient, openLark, refusal, sendCard, textCard } from './fake-lark.fixture.ts';

const MINUTE = 60_000;

/** Streams text to the one element of the card. */
function write(client: Client, cardId: string, sequence: number, content: string, uuid?: string): Promise<unknown> {
  return client.cardkit.v1.cardElement.content({
    path: { card_id: cardId, element_id: 'answer' },
    data: { content, sequence, ...(uuid === undefined ? {} : { uuid }) },
  });
}

function settings(client: Client, cardId: string, sequence: number, config: Record<string, unknown>): Promise<unknown> {
  return client.cardkit.v1.card.settings({
    path: { card_id: cardId },
    data: { settings: JSON.stringify({ config }), sequence },
  });
}

test('a card is made, sent by its id, streamed to, and finished with a summary', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId, messageId } = await sendCard(client, ann, textCard('…'));
  await write(client, cardId, 1, 'Hello');
  await write(client, cardId, 2, 'Hello **world**');
  expect(lark.messagesIn(ann.chatId)[0]!.card).toMatchObject({
    summary: '[Generating...]',
    isGenerating: true,
    isStreaming: true,
  });

  await settings(client, cardId, 3, { streaming_mode: false, summary: { content: 'Hello world' } });

  expect(lark.messagesIn(ann.chatId)).toMatchObject([
    {
      messageId,
      from: 'bot',
      type: 'interactive',
      text: 'Hello world',
      card: { summary: 'Hello world', isGenerating: false, isStreaming: false, sequence: 3 },
    },
  ]);
});

test('the sequence must grow over all operations, and begins at one', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('…'));

  expect(await refusal(write(client, cardId, 0, 'a'))).toBe('400 300317');
  expect(await refusal(write(client, cardId, 5, 'b'))).toBe('done');
  expect(await refusal(write(client, cardId, 5, 'c'))).toBe('400 300317');
  expect(await refusal(settings(client, cardId, 4, {}))).toBe('400 300317');
  expect(lark.messagesIn(ann.chatId)[0]!.text).toBe('b');
});

test('an operation with the uuid of an earlier one is refused as a conflict and changes nothing', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('…'));

  await write(client, cardId, 1, 'a', 'same');

  expect(await refusal(write(client, cardId, 2, 'b', 'same'))).toBe('400 200770');
  expect(lark.messagesIn(ann.chatId)[0]!.text).toBe('a');
});

test('streaming mode closes ten minutes after it was opened, other changes go on, and it can be opened again', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('…'));
  await write(client, cardId, 1, 'a');
  lark.advance(9 * MINUTE);
  await settings(client, cardId, 2, { streaming_mode: true });
  lark.advance(1 * MINUTE);

  expect(await refusal(write(client, cardId, 3, 'b'))).toBe('400 300309');
  expect(lark.messagesIn(ann.chatId)[0]!.card).toMatchObject({ isStreaming: false, isGenerating: true });
  const patch = client.cardkit.v1.cardElement.patch({
    path: { card_id: cardId, element_id: 'answer' },
    data: { partial_element: '{"content":"c"}', sequence: 4 },
  });
  expect(await refusal(patch)).toBe('done');
  expect(await refusal(write(client, cardId, 5, 'd'))).toBe('400 300309');

  await settings(client, cardId, 6, { streaming_mode: true });
  await write(client, cardId, 7, 'e');
  expect(lark.messagesIn(ann.chatId)[0]!.text).toBe('e');
});

test('a stream that the platform closed for idleness says so once', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('…'));
  lark.closeIdleStream(cardId);

  expect(await refusal(write(client, cardId, 1, 'a'))).toBe('400 200850');
  expect(await refusal(write(client, cardId, 2, 'a'))).toBe('400 300309');
});

test('text cannot be streamed without the mode, to what is not there, or to what is no text', async () => {
  const { client, ann } = await openLark();
  const still = await sendCard(client, ann, textCard('…', {}));
  expect(await refusal(write(client, still.cardId, 1, 'a'))).toBe('400 300309');

  const card = textCard('…');
  (card['body'] as { elements: unknown[] }).elements.push({ tag: 'hr', element_id: 'line' });
  const { cardId } = await sendCard(client, ann, card);
  const content = (element: string, sequence: number) =>
    client.cardkit.v1.cardElement.content({
      path: { card_id: cardId, element_id: element },
      data: { content: 'a', sequence },
    });
  expect(await refusal(content('nobody', 1))).toBe('400 300313');
  expect(await refusal(content('line', 1))).toBe('400 300310');
  expect(await refusal(write(client, '1', 1, 'a'))).toBe('400 200740');
});

test('a card is sent once and lives for fourteen days', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('…'));
  const again = client.im.v1.message.create({
    params: { receive_id_type: 'open_id' },
    data: {
      receive_id: ann.openId,
      msg_type: 'interactive',
      content: JSON.stringify({ type: 'card', data: { card_id: cardId } }),
    },
  });
  expect(await refusal(again)).toBe('400 230099');

  lark.advance(14 * 24 * 60 * MINUTE);
  expect(await refusal(write(openClient(lark), cardId, 1, 'a'))).toBe('400 200750');
});

test('ten operations a second on one card pass, the eleventh does not', async () => {
  let now = 1_000_000;
  const { client, ann } = await openLark({ now: () => now });
  const { cardId } = await sendCard(client, ann, textCard('…'));
  for (let sequence = 1; sequence <= 10; sequence += 1) await write(client, cardId, sequence, `${sequence}`);

  expect(await refusal(write(client, cardId, 11, '11'))).toBe('429 99991400');
  now += 1000;
  expect(await refusal(write(client, cardId, 11, '11'))).toBe('done');
});

test('components are added, replaced, changed and taken out, one by one and together', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('first', {}));
  const lines = (): string[] => lark.messagesIn(ann.chatId)[0]!.lines;
  const markdown = (id: string, content: string) => ({ tag: 'markdown', element_id: id, content });
  const path = { card_id: cardId };

  await client.cardkit.v1.cardElement.create({
    path,
    data: {
      type: 'insert_before',
      target_element_id: 'answer',
      elements: JSON.stringify([markdown('zero', 'zeroth')]),
      sequence: 1,
    },
  });
  expect(lines()).toEqual(['zeroth', 'first']);
  await client.cardkit.v1.cardElement.update({
    path: { ...path, element_id: 'zero' },
    data: { element: JSON.stringify(markdown('zero', 'nought')), sequence: 2 },
  });
  expect(lines()).toEqual(['nought', 'first']);
  await client.cardkit.v1.cardElement.delete({ path: { ...path, element_id: 'zero' }, data: { sequence: 3 } });
  expect(lines()).toEqual(['first']);
  await client.cardkit.v1.card.batchUpdate({
    path,
    data: {
      sequence: 4,
      actions: JSON.stringify([
        { action: 'add_elements', params: { type: 'append', elements: [markdown('last', 'last')] } },
        { action: 'partial_update_element', params: { element_id: 'answer', partial_element: { content: 'changed' } } },
        { action: 'partial_update_setting', params: { settings: { config: { summary: { content: 'sum' } } } } },
      ]),
    },
  });
  expect(lines()).toEqual(['changed', 'last']);

  const half = client.cardkit.v1.card.batchUpdate({
    path,
    data: {
      sequence: 5,
      actions: JSON.stringify([
        { action: 'delete_elements', params: { element_ids: ['last'] } },
        { action: 'partial_update_element', params: { element_id: 'last', partial_element: { content: 'gone' } } },
      ]),
    },
  });
  expect(await refusal(half)).toBe('400 300313');
  expect(lines()).toEqual(['changed', 'last']);
  await client.cardkit.v1.card.update({
    path,
    data: { card: { type: 'card_json', data: JSON.stringify(textCard('whole', {})) }, sequence: 6 },
  });
  expect(lines()).toEqual(['whole']);
});

test('a card that grows over its limits is refused and stays as it was', async () => {
  const { lark, client, ann } = await openLark();
  const { cardId } = await sendCard(client, ann, textCard('small'));
  const elements = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({ tag: 'markdown', element_id: `m${index}`, content: 'x' })),
    );
  const add = (count: number) =>
    client.cardkit.v1.cardElement.create({
      path: { card_id: cardId },
      data: { type: 'append', elements: elements(count), sequence: 1 },
    });

  expect(await refusal(write(client, cardId, 1, 'x'.repeat(31_000)))).toBe('400 200860');
  expect(await refusal(add(200))).toBe('400 300305');
  expect(await refusal(write(client, cardId, 1, '|a|\n|-|\n|1|\n\n'.repeat(6)))).toBe('400 300305');
  expect(lark.messagesIn(ann.chatId)[0]!.text).toBe('small');
  expect(await refusal(add(199))).toBe('done');
});

test('a card inside of a message has an entity, too', async () => {
  const { lark, client, ann } = await openLark();
  const sent = await client.im.v1.message.create({
    params: { receive_id_type: 'open_id' },
    data: { receive_id: ann.openId, msg_type: 'interactive', content: JSON.stringify(textCard('…')) },
  });
  const converted = await client.cardkit.v1.card.idConvert({ data: { message_id: sent.data!.message_id! } });

  await write(client, converted.data!.card_id!, 1, 'streamed');

  expect(lark.messagesIn(ann.chatId)[0]!.text).toBe('streamed');
});
