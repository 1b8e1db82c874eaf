import { join } from 'node:path';
import type { StoreLocation } from '@dragoman/server';
import {
  type FakeProvider,
  fillDisk,
  mountSmallDisk,
  startFakeProvider,
  STORE_ENGINES,
  tempFolder,
  type TestDoor,
} from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createModel } from '../create-model.ts';
import { type GatewayConfigInput, openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';
import { post } from '../manage/manage.fixture.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';

type BudgetInput = NonNullable<GatewayConfigInput['budgets']>[number];

/** 1,000 tokens, and at the price of the fake one cent. */
const ANSWER = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 },
});
const PRICES = { '*': { input: 10, output: 10 } };

interface Budgeted {
  fake: FakeProvider;
  gateway: TestGateway;
}

async function openBudgeted(
  budgets: BudgetInput[],
  engine: 'sqlite' | 'postgres' = 'sqlite',
  given: GatewayConfigInput = {},
  location?: StoreLocation,
): Promise<Budgeted> {
  const fake = await startFakeProvider();
  fake.answer({ body: ANSWER });
  const gateway = await openTestGateway(
    {
      providers: { fake: { ...provider('openai-chat', fake.url), prices: PRICES } },
      routes: { default: ['fake/m'], other: ['fake/m'], embedding: ['fake/e'] },
      budgets,
      ...given,
    },
    {},
    engine,
    location,
  );
  return { fake, gateway };
}

const CHAT = { model: 'default', messages: [{ role: 'user', content: 'hi' }] };
const ask = (door: Pick<TestDoor, 'call'>, body: object = CHAT, headers: Record<string, string> = {}) =>
  door.call('/v1/chat/completions', post(body, headers));
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

/** Asks so often, one after the other. */
async function askOften(door: Pick<TestDoor, 'call'>, times: number, body: object = CHAT): Promise<number[]> {
  const answers: number[] = [];
  for (let count = 0; count < times; count++) answers.push((await ask(door, body)).status);
  return answers;
}

describe.each(STORE_ENGINES)('a budget on %s', (engine) => {
  test('of requests lets so many through, and tells the next which it is, how much, and when it opens again', async () => {
    const { gateway, fake } = await openBudgeted([{ for: { token: 'admin token' }, per: 'day', requests: 2 }], engine);
    expect(await askOften(gateway, 2)).toEqual([200, 200]);

    const refused = await ask(gateway);

    expect(refused.status).toBe(402);
    const tomorrow = new Date((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000).toISOString().slice(0, 10);
    expect(refused.body).toEqual({
      error: {
        message: `The budget for the token "admin token", per day, is used up: 2 of 2 requests. It resets at ${tomorrow} 00:00 UTC. An admin can raise it ("budgets" in dragoman.json).`,
        type: 'insufficient_quota',
        param: null,
        code: 'over-budget',
      },
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(fake.requests).toHaveLength(2);
    const other = { authorization: `Bearer ${gateway.tokenOf.member}` };
    expect((await ask(gateway, CHAT, other)).status).toBe(200);
  });

  test('of tokens or dollars is spent by what calls used', async () => {
    const { gateway } = await openBudgeted([{ per: 'month', tokens: 2_500 }], engine);
    expect(await askOften(gateway, 4)).toEqual([200, 200, 200, 402]);
    gateway.config.budgets.splice(0, 1, { per: 'week', dollars: 0.02, unpriced: 'allow' });
    expect(await askOften(gateway, 3)).toEqual([200, 200, 402]);
    expect((await ask(gateway)).body.error!.message).toContain('$0.02 of $0.02');
  });

  test('lets no more through than it has, however many ask at once', async () => {
    const { gateway, fake } = await openBudgeted([{ per: 'day', requests: 10 }], engine, {
      limits: { concurrency: 100 },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(gateway)));
    expect(statuses(answers)).toEqual([...Array(10).fill(200), ...Array(40).fill(402)]);
    expect(fake.requests).toHaveLength(10);
  });

  test('is refused as a whole with the others that apply, so that none counts a call that was not made', async () => {
    const { gateway } = await openBudgeted(
      [
        { per: 'day', requests: 100 },
        { for: { route: 'default' }, per: 'hour', requests: 1 },
      ],
      engine,
    );
    expect(await askOften(gateway, 5)).toEqual([200, 402, 402, 402, 402]);
    expect(await askOften(gateway, 2, { ...CHAT, model: 'other' })).toEqual([200, 200]);
    const rows = await gateway.store.tables<UsageTables>().selectFrom('budget_spent').select('requests').execute();
    expect(rows.map(({ requests }) => requests).toSorted((one, other) => one - other)).toEqual([1, 3]);
  });

  test('that each user has is not spent by others', async () => {
    const { gateway } = await openBudgeted([{ each: 'user', per: 'day', requests: 1 }], engine);
    const ann = await gateway.tokens.openUser('ann', 'member');
    const { text } = await gateway.tokens.createToken({ user: ann, name: 'desk', role: 'member', expiresAt: null });
    expect(await askOften(gateway, 2)).toEqual([200, 402]);
    const asAnn = { authorization: `Bearer ${text}` };
    expect((await ask(gateway, CHAT, asAnn)).status).toBe(200);
    expect((await ask(gateway, CHAT, asAnn)).body.error!.message).toContain('everyone, user ann, per day');
  });
});

test('two servers on one PostgreSQL spend one budget', async () => {
  const first = await openBudgeted([{ per: 'day', requests: 10 }], 'postgres', { limits: { concurrency: 100 } });
  const second = await openTestGateway(
    {
      providers: { fake: { ...provider('openai-chat', first.fake.url), prices: PRICES } },
      routes: { default: ['fake/m'] },
      budgets: [{ per: 'day', requests: 10 }],
      limits: { concurrency: 100 },
    },
    {},
    'postgres',
    first.gateway.location,
  );

  const doors = [first.gateway, second];
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(doors[at % 2]!)));

  expect(statuses(answers)).toEqual([...Array(10).fill(200), ...Array(40).fill(402)]);
  expect(first.fake.requests).toHaveLength(10);
});

test.each([
  ['/v1/chat/completions', CHAT, { error: { type: 'insufficient_quota', code: 'over-budget' } }],
  ['/v1/responses', { model: 'default', input: 'hi' }, { error: { type: 'insufficient_quota' } }],
  ['/v1/messages', { ...CHAT, max_tokens: 5 }, { type: 'error', error: { type: 'billing_error' } }],
  ['/v1/completions', { model: 'default', prompt: 'hi' }, { error: { type: 'insufficient_quota' } }],
  ['/v1/embeddings', { model: 'embedding', input: 'hi' }, { error: { type: 'insufficient_quota' } }],
  [
    '/v1beta/models/default:generateContent',
    { contents: [{ parts: [{ text: 'hi' }] }] },
    { error: { code: 402, status: 'RESOURCE_EXHAUSTED' } },
  ],
  ['/chat-stream', { message: 'hi' }, { error: { code: 'over-budget' } }],
])('%s refuses in the words of its clients, before anybody is asked', async (path, body, said) => {
  const { gateway, fake } = await openBudgeted([{ per: 'month', requests: 1 }]);
  await ask(gateway);

  const refused = await gateway.call(path, post(body));

  expect(refused).toMatchObject({ status: 402, body: said });
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(fake.requests).toHaveLength(1);
});

const FULL = 'The disk of the server is full. Free up some space there, then try again.';

test.for([
  ['/v1/chat/completions', CHAT, { error: { message: FULL, type: 'server_error', param: null, code: 'disk-full' } }],
  [
    '/v1/responses',
    { model: 'default', input: 'hi' },
    { error: { message: FULL, type: 'server_error', param: null, code: 'disk-full' } },
  ],
  ['/v1/messages', { ...CHAT, max_tokens: 5 }, { type: 'error', error: { type: 'api_error', message: FULL } }],
  [
    '/v1beta/models/default:generateContent',
    { contents: [{ parts: [{ text: 'hi' }] }] },
    { error: { code: 507, message: FULL, status: 'UNAVAILABLE' } },
  ],
  ['/api/chat', CHAT, { error: FULL }],
  ['/chat-stream', { message: 'hi' }, { error: { code: 'disk-full', message: FULL } }],
] as const)(
  '%s says in the words of its clients that the disk is full where a budget cannot be counted (needs the right to mount)',
  async ([path, body, said], { skip }) => {
    const disk = tempFolder();
    if (!mountSmallDisk(disk, 4)) skip('small disks cannot be made here');
    const location = { databaseFile: join(disk, 'dragoman.sqlite'), databaseUrl: undefined };
    const { gateway, fake } = await openBudgeted([{ per: 'month', requests: 9 }], 'sqlite', {}, location);
    const makeRoom = fillDisk(disk, 0);

    const refused = await gateway.call(path, post(body));

    expect(refused).toMatchObject({ status: 507, body: said });
    expect(fake.requests).toHaveLength(0);
    makeRoom();
    expect((await ask(gateway)).status).toBe(200);
  },
);

test('calls of agents and the test call of the console are held to it too', async () => {
  const { gateway, fake } = await openBudgeted([{ for: { user: 'owner' }, per: 'day', requests: 1 }]);
  await ask(gateway);
  const upstreams = new UpstreamRegistry();
  const caller = { userId: 'usr_x', userName: 'owner', tokenName: 'native', role: 'admin' } as never;
  const model = createModel('default', gateway.config, { upstreams, notes: { book: gateway.book, caller } });
  const errors: unknown[] = [];

  await model.stream(
    { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [] },
    { push: (event) => event.type === 'error' && errors.push(event.error) },
    new AbortController().signal,
  );
  const test = await gateway.call('/api/gateway/test', post({ model: 'default' }));
  await upstreams.close();

  expect(errors).toMatchObject([{ code: 'over-budget', isRetryable: false }]);
  expect(test.body).toMatchObject({ isWell: false, problem: { message: expect.stringContaining('is used up') } });
  expect(fake.requests).toHaveLength(1);
});

test('a warning comes with the answer from four fifths on, and once in the log', async () => {
  const { gateway } = await openBudgeted([{ for: { role: 'admin' }, per: 'month', requests: 10 }]);
  const headers: (string | null)[] = [];
  for (let count = 0; count < 10; count++) headers.push((await ask(gateway)).headers.get('x-dragoman-budget'));

  expect(headers.slice(0, 7)).toEqual(Array(7).fill(null));
  expect(headers.slice(7).map((header) => header!.replace(/resets=.*/, ''))).toEqual([
    `"the role 'admin', per month"; used=80; `,
    `"the role 'admin', per month"; used=90; `,
    `"the role 'admin', per month"; used=100; `,
  ]);
  expect(gateway.logged.filter(({ msg }) => msg === 'a budget is almost used up')).toMatchObject([
    { budget: 'the role "admin", per month', spent: ['8 of 10 requests'] },
  ]);
});

test('a model without a price is counted as such by a budget of dollars, or refused where that is set', async () => {
  const { gateway, fake } = await openBudgeted([{ per: 'day', dollars: 1 }]);
  gateway.config.providers['fake']!.prices = {};
  expect(await askOften(gateway, 2)).toEqual([200, 200]);
  await gateway.book.usageLog.flush();
  const db = gateway.store.tables<UsageTables>();
  expect(await db.selectFrom('budget_spent').selectAll().execute()).toMatchObject([
    { requests: 2, tokens: 2_000, micros: 0, unknown_calls: 2 },
  ]);

  gateway.config.budgets[0]!.unpriced = 'refuse';
  expect((await ask(gateway)).body.error!.message).toBe(
    'The price of fake/m is not known, and the budget for everyone, per day, only allows models with a known price. Set it in dragoman.json, under providers.NAME.prices.',
  );
  expect(fake.requests).toHaveLength(2);
});

test.each([
  ['fake/m', ['fake/m', 'm', 'fast', 'm']],
  ['m', ['m', 'fake/m', 'fast', 'fake/m']],
  ['fast', ['fast', 'fast']],
  ['', ['']],
])('a budget for %j holds the model by every name that leads to it alone', async (route, names) => {
  const { gateway } = await openBudgeted([{ for: { route: route || 'default' }, per: 'day', requests: 1 }], 'sqlite', {
    routes: { fast: ['fake/m'], default: ['fake/m'], either: ['fake/m', 'fake/e'] },
  });
  gateway.config.providers['fake']!.models = ['m', 'e'];
  expect((await ask(gateway, { ...CHAT, model: names[0] })).status).toBe(200);
  for (const model of names) expect((await ask(gateway, { ...CHAT, model })).status).toBe(402);
  expect(await askOften(gateway, 2, { ...CHAT, model: 'fake/e' })).toEqual([200, 200]);
  expect(await askOften(gateway, 2, { ...CHAT, model: 'either' })).toEqual([200, 200]);
});

test('targets without a price are passed over where another has one, and refused where none has', async () => {
  const fake = await startFakeProvider();
  const dark = await startFakeProvider();
  fake.answer({ body: ANSWER });
  const gateway = await openTestGateway({
    providers: {
      dark: provider('openai-chat', dark.url),
      fake: { ...provider('openai-chat', fake.url), prices: PRICES },
    },
    routes: { default: ['dark/x', 'fake/m', 'dark/y'], none: ['dark/x', 'dark/y'] },
    budgets: [{ per: 'day', dollars: 1, unpriced: 'refuse' }],
  });

  expect((await ask(gateway)).status).toBe(200);
  expect((await gateway.call('/v1/messages', post({ ...CHAT, max_tokens: 5 }))).status).toBe(200);
  fake.answer({ status: 400, body: '{}' });
  expect((await ask(gateway)).status).toBe(400);
  const caller = { userId: 'usr_x', userName: 'owner', tokenName: 'native', role: 'admin' } as never;
  const upstreams = new UpstreamRegistry();
  await createModel('default', gateway.config, { upstreams, notes: { book: gateway.book, caller } }).stream(
    { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [] },
    { push() {} },
    new AbortController().signal,
  );
  await upstreams.close();
  await gateway.call('/api/gateway/test', post({ model: 'default' }));
  expect(fake.requests.map(({ body }) => body['model'])).toEqual(['m', 'm', 'm', 'm', 'm']);
  expect((await ask(gateway, { ...CHAT, model: 'none' })).body.error!.message).toContain('The price of dark/x is not');
  expect(dark.requests).toEqual([]);
});

test('what is counted is counted once, though a call is stored late and twice over', async () => {
  const { gateway } = await openBudgeted([{ per: 'day', tokens: 1_000_000 }]);
  const db = gateway.store.tables<UsageTables>();
  await ask(gateway);
  await gateway.book.usageLog.flush();
  await sql`alter table usage_log rename to usage_elsewhere`.execute(db);
  await askOften(gateway, 3);
  await gateway.book.usageLog.flush();
  await sql`alter table usage_elsewhere rename to usage_log`.execute(db);
  await gateway.book.usageLog.flush();

  expect(await db.selectFrom('budget_spent').selectAll().execute()).toMatchObject([
    { requests: 4, tokens: 4_000, micros: 40_000, unknown_calls: 0 },
  ]);
});

test('where the database is away, a call that a budget applies to is refused for now', async () => {
  const { gateway, fake } = await openBudgeted([{ per: 'day', requests: 5 }]);
  await sql`alter table budget_spent rename to budget_elsewhere`.execute(gateway.store.tables());
  const refused = await ask(gateway);
  await sql`alter table budget_elsewhere rename to budget_spent`.execute(gateway.store.tables());
  expect(refused).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining('budgets') } } });
  expect((await ask(gateway)).status).toBe(200);
  expect(fake.requests).toHaveLength(1);
});
