import { startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { StoreEngine } from '@dragoman/server';
import type { UpstreamKind } from '../../config/gateway-config.ts';
import { openTestGateway, provider, type TestGateway } from '../../gateway.fixture.ts';
import { KeptResponses } from './kept-responses.ts';
import type { KeptTables } from './kept-tables.ts';

const ENGINES = ['sqlite', 'postgres'] as const;
const KEY = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

async function open(type: UpstreamKind, engine: StoreEngine, keepDays: number | null = 7) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway(
    { providers: { fake: provider(type, fake.url) }, responses: keepDays === null ? {} : { keepDays } },
    {},
    engine,
  );
  return { fake, gateway, client: clientOf(gateway, gateway.tokenOf.member) };
}

const clientOf = ({ url }: TestGateway, apiKey: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });

/** What a model of Anthropic's says, whole. */
const says = (...content: object[]) => ({
  body: JSON.stringify({ id: 'msg_1', type: 'message', model: 'claude-x', content, stop_reason: 'end_turn' }),
});
const text = (said: string) => ({ type: 'text', text: said });

/** The same as a stream. */
function streams(said: string) {
  const events = [
    { type: 'message_start', message: { id: 'msg_1', model: 'claude-x', usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  return { body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) };
}

async function readStream(stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>) {
  let last: OpenAI.Responses.Response | undefined;
  for await (const event of stream) if (event.type === 'response.completed') last = event.response;
  return last!;
}

describe.each(ENGINES)('where responses are kept, on %s,', (engine) => {
  test('a client goes on from a response, streamed or not, and tools keep their calls', async () => {
    const { fake, client } = await open('anthropic-messages', engine);
    fake.answer(
      says(text('Hello Ada.')),
      streams('You are Ada.'),
      says({ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.ts' } }),
      says(text('It is empty.')),
    );
    const tools = [{ type: 'function' as const, name: 'read', parameters: { type: 'object' }, strict: false }];

    const first = await client.responses.create({ model: 'fake/m', instructions: 'Be kind.', input: 'I am Ada.' });
    const second = await readStream(
      await client.responses.create({
        model: 'fake/m',
        input: 'Who am I?',
        previous_response_id: first.id,
        stream: true,
      }),
    );
    const third = await client.responses.create({
      model: 'fake/m',
      input: [{ role: 'user', content: 'Read a.ts.' }],
      previous_response_id: second.id,
      tools,
    });
    const fourth = await client.responses.create({
      model: 'fake/m',
      input: [{ type: 'function_call_output', call_id: 'toolu_1', output: '' }],
      previous_response_id: third.id,
      tools,
    });

    expect([first, second, fourth]).toMatchObject([
      { store: true, previous_response_id: null },
      { store: true, previous_response_id: first.id },
      { store: true, previous_response_id: third.id },
    ]);
    expect(fourth.output_text).toBe('It is empty.');
    expect(fake.requests[1]!.body).toMatchObject({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello Ada.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Who am I?' }] },
      ],
    });
    expect(fake.requests[1]!.text).not.toContain('Be kind.');
    expect(fake.requests[3]!.body).toMatchObject({
      messages: [
        {},
        {},
        { content: [{ text: 'Who am I?' }] },
        { content: [{ text: 'You are Ada.' }] },
        { content: [{ text: 'Read a.ts.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', input: { path: 'a.ts' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    });
  });

  test('a response is told again with what was sent for it, and is gone when it is deleted', async () => {
    const { fake, gateway, client } = await open('anthropic-messages', engine);
    fake.answer(says(text('One.')), says(text('Two.')));
    const first = await client.responses.create({ model: 'fake/m', input: `a ${KEY}`, metadata: { run: '1' } });
    const second = await client.responses.create({ model: 'fake/m', input: 'b', previous_response_id: first.id });

    expect(await client.responses.retrieve(first.id)).toEqual(first);
    const items = await client.responses.inputItems.list(second.id, { order: 'asc' });
    expect(items.data).toEqual([
      { id: expect.any(String) as string, type: 'message', role: 'user', content: 'a [API_KEY_REDACTED]' },
      expect.objectContaining({ role: 'assistant', content: [expect.objectContaining({ text: 'One.' })] }),
      { id: expect.any(String) as string, type: 'message', role: 'user', content: 'b' },
    ]);
    const newest = await client.responses.inputItems.list(second.id, { limit: 1 });
    expect([newest.data[0], newest.has_more]).toEqual([items.data[2], true]);
    expect((await newest.getNextPage()).data).toEqual([items.data[1]]);
    const rows = await gateway.store.tables<KeptTables>().selectFrom('kept_responses').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(KEY);

    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ model: 'fake/m', input: 'c', previous_response_id: second.id }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`there is no response "${first.id}"`) as string,
    });
  });

  test('a response is for the user that it was made for, and only unless the client objects', async () => {
    const { fake, gateway, client } = await open('anthropic-messages', engine);
    const other = await gateway.tokens.openUser('other', 'member');
    const token = await gateway.tokens.createToken({ user: other, name: 't', role: 'member', expiresAt: null });
    const stranger = clientOf(gateway, token.text);
    fake.answer(says(text('One.')));
    const mine = await client.responses.create({ model: 'fake/m', input: 'a' });
    const unkept = await client.responses.create({ model: 'fake/m', input: 'a', store: false });
    expect(unkept).toMatchObject({ store: false });

    for (const [who, id] of [
      [stranger, mine.id],
      [client, unkept.id],
      [client, 'resp_unknown'],
      [client, 'a\0b/../c'],
    ] as const) {
      await expect(who.responses.retrieve(id)).rejects.toMatchObject({ status: 404, type: 'invalid_request_error' });
      await expect(who.responses.delete(id)).rejects.toMatchObject({ status: 404 });
      await expect(who.responses.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
      await expect(
        who.responses.create({ model: 'fake/m', input: 'b', previous_response_id: id }),
      ).rejects.toMatchObject({ status: 400 });
    }
    expect(await client.responses.retrieve(mine.id)).toMatchObject({ id: mine.id });
  });

  test('what the provider keeps is left to it: to go on, to tell and to delete', async () => {
    const { fake, gateway, client } = await open('openai-responses', engine);
    const answer = (id: string) => ({
      body: JSON.stringify({ id, object: 'response', status: 'completed', output: [], usage: null }),
    });
    const events = [
      { type: 'response.created', response: { id: 'resp_p2', status: 'in_progress', output: [] } },
      { type: 'response.completed', response: { id: 'resp_p2', status: 'completed', output: [] } },
    ];
    fake.answer(
      answer('resp_p1'),
      { body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) },
      answer('resp_p1'),
      { body: '{"object":"list","data":[{"id":"msg_7","type":"message"}],"has_more":false}' },
      { body: '{"id":"resp_p1","object":"response","deleted":true}' },
    );

    await client.responses.create({ model: 'fake/m', input: 'a' });
    await readStream(
      await client.responses.create({ model: 'fake/m', input: 'b', previous_response_id: 'resp_p1', stream: true }),
    );
    expect((await client.responses.retrieve('resp_p1')).id).toBe('resp_p1');
    expect((await client.responses.inputItems.list('resp_p2', { limit: 5 })).data).toEqual([
      { id: 'msg_7', type: 'message' },
    ]);
    await client.responses.delete('resp_p1');

    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/responses',
      'POST /v1/responses',
      'GET /v1/responses/resp_p1',
      'GET /v1/responses/resp_p2/input_items?limit=5',
      'DELETE /v1/responses/resp_p1',
    ]);
    expect(fake.requests[1]!.body).toMatchObject({ previous_response_id: 'resp_p1', input: 'b' });
    await expect(client.responses.retrieve('resp_p1')).rejects.toMatchObject({ status: 404 });
    const rows = await gateway.store.tables<KeptTables>().selectFrom('kept_responses').selectAll().execute();
    expect(rows).toMatchObject([{ id: 'resp_p2', target: 'fake/m', input: null, response: null }]);

    await expect(
      client.responses.create({ model: 'offline/offline', input: 'c', previous_response_id: 'resp_p2' }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('the provider "fake" stores this response') as string,
    });
  });

  test('what is too old is thrown away, and everything once nothing may be kept', async () => {
    const { fake, gateway, client } = await open('anthropic-messages', engine, 2);
    fake.answer(says(text('One.')));
    const { id } = await client.responses.create({ model: 'fake/m', input: 'a' });
    await client.responses.create({ model: 'fake/m', input: 'b' });
    const db = gateway.store.tables<KeptTables>();
    const count = async () => (await db.selectFrom('kept_responses').select('id').execute()).length;
    const old = Date.now() - 2 * 86_400_000 - 1;
    await expect.poll(count).toBe(2);
    await db.updateTable('kept_responses').set({ used_at: old }).where('id', '=', id).execute();

    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await new KeptResponses(
      db,
      () => 2,
      () => {},
    ).sweep();
    expect(await count()).toBe(1);
    await new KeptResponses(
      db,
      () => undefined,
      () => {},
    ).sweep();
    expect(await count()).toBe(0);
  });
});

test('a client goes on at another server from a response that is still being stored', async () => {
  const { gateway } = await open('anthropic-messages', 'postgres');
  const failed: unknown[] = [];
  const server = (lookAgainMs?: readonly number[]) =>
    new KeptResponses(
      gateway.store.tables<KeptTables>(),
      () => 7,
      (error) => failed.push(error),
      lookAgainMs,
    );
  const [one, other] = [server(), server(Array.from({ length: 1000 }, () => 20))];
  const kept = { id: 'resp_1', userId: 'usr_ada', previousId: null, target: '', input: [], response: {} };
  const ready = Promise.withResolvers<typeof kept>();
  one.keep('resp_1', () => ready.promise);
  expect(await server().find('resp_1', 'usr_ada')).toBeUndefined();

  const found = other.find('resp_1', 'usr_ada');
  ready.resolve(kept);

  expect(await found).toMatchObject({ id: 'resp_1', userId: 'usr_ada' });
  expect(failed).toEqual([]);
});

test('where nothing is kept, that is said', async () => {
  const { client } = await open('anthropic-messages', 'sqlite', null);

  await expect(client.responses.retrieve('resp_1')).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('responses.keepDays') as string,
  });
  await expect(
    client.responses.create({ model: 'fake/m', input: 'b', previous_response_id: 'resp_1' }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('previous_response_id: this server stores no responses') as string,
  });
});
