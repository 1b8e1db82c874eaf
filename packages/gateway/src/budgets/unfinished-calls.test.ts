import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type FakeProvider, type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';
import { post } from '../manage/manage.fixture.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { UsageTables } from '../metering/usage-tables.ts';

const NEVER = new Promise(() => {});
const chunk = (delta: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
/** 400 characters, about 100 tokens. */
const BEGUN = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'word '.repeat(80) })];
/** 4,000 characters: about 1,000 tokens, or some more. */
const MESSAGES = [{ role: 'user', content: 'text '.repeat(800) }];

async function openBudgeted(answer: ScriptedAnswer): Promise<{ gateway: TestGateway; fake: FakeProvider }> {
  const fake = await startFakeProvider();
  fake.answer(answer);
  const gateway = await openTestGateway({
    providers: { fake: { ...provider('openai-chat', fake.url), prices: { '*': { input: 10, output: 10 } } } },
    routes: { default: ['fake/m'] },
    budgets: [{ per: 'month', tokens: 1_000, dollars: 100 }],
  });
  return { gateway, fake };
}

/** Asks, and leaves with the first piece of the answer that says something. Resolves when the call is noted. */
async function leaveEarly(gateway: TestGateway, path: string, body: object): Promise<void> {
  const noted = new Promise<void>((resolve) => {
    const stop = gateway.book.calls.listen(() => {
      stop();
      resolve();
    });
  });
  const client = httpRequest(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.tokenOf.admin}` },
  });
  client.on('error', () => {});
  client.end(JSON.stringify(body));
  const [response] = (await once(client, 'response')) as [NodeJS.ReadableStream];
  let said = '';
  for await (const bytes of response) {
    said += String(bytes);
    if (said.includes('word')) break;
  }
  client.destroy();
  await noted;
  await gateway.book.usageLog.flush();
}

const spentOf = (gateway: TestGateway) =>
  gateway.store.tables<UsageTables>().selectFrom('budget_spent').selectAll().executeTakeFirstOrThrow();
const usageOf = async (gateway: TestGateway) => {
  const question = { by: 'model', days: 1, timeZone: 'UTC', now: Date.now() } as const;
  return (await readUsage(gateway.store.tables<UsageTables>(), question)).rows[0];
};
const around = (tokens: number) => [tokens * 0.85, tokens * 1.3] as const;

function expectEstimated(spent: { tokens: number; micros: number; unknown_calls: number }, tokens: number): void {
  const [least, most] = around(tokens);
  expect(spent.tokens).toBeGreaterThan(least);
  expect(spent.tokens).toBeLessThan(most);
  expect(spent.micros).toBe(spent.tokens * 10);
  expect(spent.unknown_calls).toBe(1);
}

test.each([
  ['passed on as it comes', '/v1/chat/completions', { model: 'default', stream: true, messages: MESSAGES }],
  ['converted', '/v1/messages', { model: 'default', stream: true, max_tokens: 900, messages: MESSAGES }],
])('whoever leaves an answer that is %s is held to about what it used', async (_how, path, body) => {
  const { gateway } = await openBudgeted({ body: [...BEGUN, NEVER] });

  await leaveEarly(gateway, path, body);

  expectEstimated(await spentOf(gateway), 1_100);
  expect(await usageOf(gateway)).toMatchObject({
    inputTokens: 0,
    outputTokens: 0,
    costDollars: null,
    unpricedCalls: 1,
  });
  expect((await gateway.call(path, post(body))).status).toBe(402);
});

test.each([
  ['that breaks off', { body: BEGUN, isCut: true }, true],
  ['that ends without a word of usage', { body: [...BEGUN, 'data: [DONE]\n\n'] }, true],
  [
    'in one piece without a word of usage',
    {
      body: JSON.stringify({
        id: 'c',
        choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(80) }, finish_reason: 'stop' }],
      }),
    },
    false,
  ],
])('an answer %s counts about what it used, and is known to be a guess', async (_what, answer, stream) => {
  const { gateway } = await openBudgeted(answer);
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    await gateway.store.tables<UsageTables>().deleteFrom('budget_spent').execute();
    await gateway.call(path, post({ model: 'default', stream, max_tokens: 900, messages: MESSAGES }));
    await gateway.book.usageLog.flush();
    expectEstimated(await spentOf(gateway), 1_100);
  }
  expect(await usageOf(gateway)).toMatchObject({ calls: 2, inputTokens: 0, costDollars: null, unpricedCalls: 2 });
});

test('a picture that was sent counts as one, not by its bytes', async () => {
  const { gateway } = await openBudgeted({ body: [...BEGUN, NEVER] });
  const url = `data:image/png;base64,${Buffer.alloc(300_000, 7).toString('base64')}`;
  const content = [{ type: 'image_url', image_url: { url } }];

  await leaveEarly(gateway, '/v1/chat/completions', {
    model: 'default',
    stream: true,
    messages: [{ role: 'user', content }],
  });

  const spent = await spentOf(gateway);
  expect(spent.tokens).toBeLessThan(2_000);
  expectEstimated(spent, 1_700);
});

test.each([
  ['a refusal', { status: 400, body: '{"error":{"message":"no"}}' }],
  ['an error where a stream should be', { body: ['data: {"error":{"message":"overloaded","code":503}}\n\n'] }],
])('%s costs nothing', async (_what, answer) => {
  const { gateway } = await openBudgeted(answer);
  for (const path of ['/v1/chat/completions', '/v1/messages'])
    await gateway.call(path, post({ model: 'default', stream: true, max_tokens: 900, messages: MESSAGES }));
  await gateway.book.usageLog.flush();
  expect(await spentOf(gateway)).toMatchObject({ tokens: 0, micros: 0, unknown_calls: 0 });
  expect(await usageOf(gateway)).toMatchObject({ costDollars: 0, unpricedCalls: 0 });
});
