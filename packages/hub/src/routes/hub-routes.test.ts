import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';
import { helloOf, said } from '../scripted-runner.fixture.ts';

const json = (method: string, body: unknown) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('what a call cannot read is refused with its place', async () => {
  const door = await openHubDoor();
  await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const session = `/api/sessions/${id}`;
  const cases: [path: string, init: RequestInit | undefined, status: number, message: RegExp][] = [
    ['/api/sessions', json('POST', '{'), 400, /not valid JSON/],
    ['/api/sessions', json('POST', []), 400, /^the body: /],
    ['/api/sessions', json('POST', { folder: '/code' }), 400, /^agent: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: 7 }), 400, /^folder: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', color: 'red' }), 400, /color/],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', id: 'mine' }), 400, /^id: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', prompt: { text: 3 } }), 400, /^prompt\.text: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', title: 'x'.repeat(201) }), 400, /^title: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', title: 'a\0b' }), 400, /^title: /],
    ['/api/sessions', json('POST', { agent: 'scribe', folder: '/code', runnerId: 'run_x' }), 404, /no machine "run_x"/],
    ['/api/sessions?limit=many', undefined, 400, /^limit: /],
    ['/api/sessions?limit=201', undefined, 400, /^limit: /],
    ['/api/sessions?status=asleep', undefined, 400, /^status: /],
    ['/api/sessions?archived=perhaps', undefined, 400, /^archived: /],
    ['/api/sessions/ses_x%00y', undefined, 400, /^sessionId: /],
    ['/api/sessions/ses_unknown', undefined, 404, /no session "ses_unknown"/],
    [session, json('PATCH', { title: '' }), 400, /^title: /],
    [session, json('PATCH', { pinned: 'yes' }), 400, /^pinned: /],
    [session, json('PATCH', { title: 'x'.repeat(11_000_000) }), 413, /larger than/],
    ['/api/sessions/ses_unknown', json('PATCH', { title: 'x' }), 404, /ses_unknown/],
    ['/api/sessions/ses_unknown', { method: 'DELETE' }, 404, /ses_unknown/],
    [`${session}/fork`, json('POST', { beforeMessageId: 1 }), 400, /^beforeMessageId: /],
    ['/api/sessions/ses_unknown/fork', json('POST', {}), 404, /ses_unknown/],
    ['/api/sessions/ses_unknown/close', json('POST', {}), 404, /ses_unknown/],
    ['/api/sessions/ses_unknown/cancel', { method: 'POST' }, 404, /ses_unknown/],
    [`${session}/cancel`, json('POST', { turn: 't1' }), 400, /turn/],
    [`${session}/close`, json('POST', { now: true }), 400, /now/],
    [`${session}/read`, json('POST', { seq: -1 }), 400, /^seq: /],
    [`${session}/read`, json('POST', { seq: 1.5 }), 400, /^seq: /],
    ['/api/sessions/ses_unknown/read', json('POST', { seq: 1 }), 404, /ses_unknown/],
    [`${session}/export?format=pdf`, undefined, 400, /^format: /],
    ['/api/sessions/ses_unknown/export', undefined, 404, /ses_unknown/],
    [`${session}/prompts`, json('POST', { text: 'x', id: 'y'.repeat(101) }), 400, /^id: /],
    [`${session}/prompts`, json('POST', { content: [{ type: 'tool_use' }] }), 400, /^content\.0/],
    [
      `${session}/prompts`,
      json('POST', { content: [{ type: 'image', media_type: 'image/png' }] }),
      400,
      /^content\.0\.data: /,
    ],
    [
      '/api/sessions',
      json('POST', {
        agent: 'scribe',
        folder: '/code',
        prompt: { content: [{ type: 'image', media_type: 'image/png', url: 'javascript:alert(1)' }] },
      }),
      400,
      /^prompt\.content\.0\.url: /,
    ],
    [`${session}/prompts`, { method: 'POST', body: 'text' }, 415, /application\/json/],
    [`${session}/prompts/p-9`, { method: 'DELETE' }, 404, /no prompt "p-9"/],
    [`${session}/approvals/a-9`, json('POST', { optionId: 'yes' }), 404, /no approval "a-9"/],
    [`${session}/approvals/a-9`, json('POST', { optionId: 1 }), 400, /^optionId: /],
    ['/api/rules/rul_9', { method: 'DELETE' }, 404, /no rule "rul_9"/],
    [`${session}/log?after=-1`, undefined, 400, /^after: /],
    [`${session}/log?limit=5001`, undefined, 400, /^limit: /],
    [`${session}/events?after=x`, undefined, 400, /^after: /],
    ['/api/search', undefined, 400, /^q: /],
    [`/api/search?q=${'x'.repeat(501)}`, undefined, 400, /^q: /],
    ['/api/attachments/att_unknown', undefined, 404, /no attachment "att_unknown"/],
    ['/api/runners/run_x', { method: 'DELETE' }, 404, /no machine "run_x"/],
    ['/api/runners/run_x/folders', undefined, 404, /no machine "run_x"/],
    ['/api/runner/hello', json('POST', { id: 'run_x' }), 400, /^name: /],
    ['/api/runner/hello', json('POST', { ...helloOf(), agents: [{ name: 1 }] }), 400, /^agents\.0\.name: /],
    ['/api/runner/run_x/events', json('POST', { outboxId: 'o', first: 1, records: [] }), 404, /run_x/],
    ['/api/runner/run_desk/events', json('POST', { outboxId: 'o', first: 'one', records: [] }), 400, /^first: /],
    ['/api/runner/run_desk/events', json('POST', { outboxId: 'o', first: 1, records: {} }), 400, /^records: /],
    ['/api/runner/run_x/commands', undefined, 404, /run_x/],
    ['/api/runner/run_desk/replies/ask_1', json('POST', { nothing: true }), 400, /^the body: /],
  ];

  for (const [path, init, status, message] of cases) {
    const answer = await door.call(path, init);
    expect({ path, status: answer.status, message: answer.body.error?.message }).toEqual({
      path,
      status,
      message: expect.stringMatching(message),
    });
  }
  expect(door.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test('a batch that leaves a gap is refused with the number to go on from', async () => {
  const door = await openHubDoor();
  await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const send = (first: number) =>
    door.call(
      '/api/runner/run_desk/events',
      json('POST', { outboxId: 'outbox-1', first, records: [{ sessionId: id, at: 1, event: said('x') }] }),
    );

  expect(await send(1)).toMatchObject({ status: 200, body: { acked: 1 } });
  expect(await send(1)).toMatchObject({ status: 200, body: { acked: 1 } });
  expect(await send(5)).toMatchObject({ status: 409, body: { error: { code: 'conflict' }, acked: 1 } });
});

test('a session can be saved as Markdown and as JSON', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Die Lampe: "ö"/2' });
  await runner.say(id, [said('It shines.')]);

  const markdown = await door.call(`/api/sessions/${id}/export`);
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(markdown.headers.get('content-disposition')).toBe(
    `attachment; filename="Die Lampe _ 2.md"; filename*=UTF-8''Die%20Lampe%20%C3%B6%202.md`,
  );
  expect(markdown.text).toContain('It shines.');
  const data = await door.call(`/api/sessions/${id}/export?format=json`);
  expect(data.headers.get('content-disposition')).toContain('.json');
  expect(JSON.stringify(data.body)).toContain('It shines.');
});

test('while a long session is saved, others are served', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  for (let from = 0; from < 20_000; from += 2_000)
    await runner.say(
      id,
      Array.from({ length: 2_000 }, (_, index) => said(`Line ${from + index}.`)),
    );

  const order: string[] = [];
  const saving = door.call(`/api/sessions/${id}/export`).finally(() => order.push('saved'));
  for (let count = 0; count < 3; count++) {
    await door.owner.client.getSession({ sessionId: id });
    order.push('served');
  }
  const { text } = await saving;

  expect(order).toEqual(['served', 'served', 'served', 'saved']);
  expect(text.match(/^Line \d+\.$/gm)).toHaveLength(20_000);
  expect(text).toContain('Line 19999.');
  const { body } = await door.call(`/api/sessions/${id}/export?format=json`);
  expect(body).toMatchObject({ messages: { length: 20_000 } });
});

test('a page of the log ends where it has enough, and goes on behind it', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id: sessionId } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const block = { type: 'text' as const, text: 'x'.repeat(100_000) };
  await runner.say(
    sessionId,
    ['b1', 'b2', 'b3', 'b4'].map((blockId) => ({
      type: 'block-stop' as const,
      messageId: 'm',
      role: 'assistant' as const,
      blockId,
      block,
    })),
  );

  const { events, seq } = await door.owner.client.readLog({ sessionId, limit: 5_000 });
  expect([events.map((logged) => logged.seq), seq]).toEqual([[1, 2, 3], 5]);
  const rest = await door.owner.client.readLog({ sessionId, after: 3, limit: 5_000 });
  expect(rest.events.map((logged) => logged.seq)).toEqual([4, 5]);
  const last = async (count: number) => {
    const page = await door.owner.client.readLog({ sessionId, last: count });
    return [page.events.map((logged) => logged.seq), page.seq];
  };
  expect([await last(1), await last(2), await last(5_000)]).toEqual([
    [[5], 5],
    [[4, 5], 5],
    [[4, 5], 5],
  ]);
  const both = await door.call(`/api/sessions/${sessionId}/log?last=2&after=1`);
  expect([both.status, both.text]).toEqual([400, expect.stringContaining('last: it stands alone')]);
});

test('an attachment is shown where it is an image that runs nothing, and is a download otherwise', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id: sessionId } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const data = Buffer.alloc(2_000, 9).toString('base64');
  const attach = async (media_type: string, blockId: string) => {
    const block = { type: 'file' as const, name: 'a "b".svg', media_type, data };
    await runner.say(sessionId, [{ type: 'block-stop', messageId: 'm', role: 'assistant', blockId, block }]);
    const { events } = await door.owner.client.readLog({ sessionId });
    return door.call(/\/api\/attachments\/att_\w+/.exec(JSON.stringify(events.at(-1)))![0]);
  };

  const image = await attach('image/png', 'b1');
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('content-disposition')).toBeNull();
  const drawing = await attach('image/svg+xml', 'b2');
  expect(drawing.headers.get('content-type')).toBe('application/octet-stream');
  expect(drawing.headers.get('content-disposition')).toContain('attachment; filename="a _b_.svg"');
  for (const { headers } of [image, drawing]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  }
});

test('the document of the API is served, and names the caller', async () => {
  const door = await openHubDoor();
  const { body } = await door.call('/api/openapi.json', {
    headers: { authorization: `Bearer ${door.tokenOf.viewer}` },
  });
  expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '1.2.3' } });
  expect((await door.call('/api/openapi.json', { headers: { authorization: 'none' } })).status).toBe(401);
  expect(await door.owner.client.me()).toMatchObject({
    name: 'owner',
    role: 'admin',
    userId: door.owner.caller.userId,
  });
});

test('what was said is found', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Lamps' });
  await runner.say(id, [said('The lantern in the hall shines.')]);

  const { hits } = await door.owner.client.search({ q: 'lantern' });

  expect(hits).toMatchObject([{ sessionId: id, sessionTitle: 'Lamps' }]);
});
