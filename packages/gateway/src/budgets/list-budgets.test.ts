import type { Role } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { GatewayConfigInput, TestGateway } from '../gateway.fixture.ts';
import { openManaged, post } from '../manage/manage.fixture.ts';
import { periodAt } from './budget-period.ts';

/** 1,000 tokens, and at the price of the fake one cent. */
const ANSWER = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 900, completion_tokens: 100 },
});

async function openPriced(budgets: NonNullable<GatewayConfigInput['budgets']>, engine?: 'sqlite' | 'postgres') {
  const { gateway, fake, ask } = await openManaged({ budgets }, engine);
  gateway.config.providers['fake']!.prices = { m: { input: 10, output: 10 } };
  fake.answer({ body: ANSWER });
  const say = (token: string, model = 'fake/m') =>
    gateway.call(
      '/v1/chat/completions',
      post({ model, messages: [{ role: 'user', content: 'hi' }] }, { authorization: `Bearer ${token}` }),
    );
  return { gateway, ask, say };
}

async function tokenOf(gateway: TestGateway, name: string, role: Role, tokenName = 'desk'): Promise<string> {
  const user = await gateway.tokens.openUser(name, role);
  return (await gateway.tokens.createToken({ user, name: tokenName, role, expiresAt: null })).text;
}

async function seenBy(gateway: TestGateway, token: string): Promise<unknown> {
  const { body } = await gateway.call('/api/budgets', { headers: { authorization: `Bearer ${token}` } });
  return (body['budgets'] as { share?: string; amounts: unknown; scope: object }[]).map(
    ({ scope, share, amounts }) => ({
      ...scope,
      ...(share !== undefined && { share }),
      amounts,
    }),
  );
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('an admin sees what is spent of every budget, of which limit, until when, and whether it was warned of', async () => {
    const { gateway, ask, say } = await openPriced(
      [
        { per: 'month', dollars: 0.05, tokens: 100_000 },
        { for: { route: 'fake/m' }, per: 'month', each: 'user', requests: 2 },
        { for: { token: 'ci' }, per: 'month', requests: 5 },
      ],
      engine,
    );
    const ann = await tokenOf(gateway, 'ann', 'member');
    for (let count = 0; count < 3; count++) await say(ann);
    for (let count = 0; count < 2; count++) await say(ann, 'fake/unpriced');

    const { budgets } = await ask('readBudgets');

    const { startsAt, endsAt: resetsAt } = periodAt('month', Date.now());
    const month = { per: 'month', startsAt, resetsAt };
    expect(budgets).toEqual([
      {
        ...month,
        scope: {},
        amounts: [
          { unit: 'tokens', spent: 4_000, limit: 100_000 },
          { unit: 'dollars', spent: 0.02, limit: 0.05 },
        ],
        unknownCalls: 2,
        isWarned: false,
        isSpent: false,
      },
      {
        ...month,
        scope: { route: 'fake/m' },
        each: 'user',
        share: 'ann',
        amounts: [{ unit: 'requests', spent: 2, limit: 2 }],
        unknownCalls: 0,
        isWarned: true,
        isSpent: true,
      },
      {
        ...month,
        scope: { token: 'ci' },
        amounts: [{ unit: 'requests', spent: 0, limit: 5 }],
        unknownCalls: 0,
        isWarned: false,
        isSpent: false,
      },
    ]);
  });

  test('somebody else sees the budgets that hold their own calls, and nobody’s share but theirs', async () => {
    const { gateway, say } = await openPriced(
      [
        { per: 'day', each: 'user', requests: 10 },
        { per: 'day', each: 'token', requests: 10 },
        { for: { user: 'ann' }, per: 'day', requests: 20 },
        { for: { user: 'bob' }, per: 'day', requests: 20 },
        { for: { token: 'bobs' }, per: 'day', requests: 30 },
        { for: { role: 'admin' }, per: 'day', requests: 40 },
      ],
      engine,
    );
    const ann = await tokenOf(gateway, 'ann', 'member');
    const annsOther = await tokenOf(gateway, 'ann', 'member', 'other');
    const bob = await tokenOf(gateway, 'bob', 'member', 'bobs');
    const cem = await tokenOf(gateway, 'cem', 'viewer', 'tablet');
    for (const token of [ann, annsOther, annsOther, bob]) await say(token);
    const requests = (spent: number, limit: number) => [{ unit: 'requests', spent, limit }];

    expect(await seenBy(gateway, ann)).toEqual([
      { share: 'ann', amounts: requests(3, 10) },
      { share: 'ann/other', amounts: requests(2, 10) },
      { share: 'ann/desk', amounts: requests(1, 10) },
      { user: 'ann', amounts: requests(3, 20) },
    ]);
    expect(await seenBy(gateway, bob)).toEqual([
      { share: 'bob', amounts: requests(1, 10) },
      { share: 'bob/bobs', amounts: requests(1, 10) },
      { user: 'bob', amounts: requests(1, 20) },
      { token: 'bobs', amounts: requests(1, 30) },
    ]);
    expect(await seenBy(gateway, cem)).toEqual([
      { share: 'cem', amounts: requests(0, 10) },
      { share: 'cem/tablet', amounts: requests(0, 10) },
    ]);
    expect(await seenBy(gateway, gateway.tokenOf.admin)).toHaveLength(9);
  });
});

test('without budgets there are none', async () => {
  const { ask } = await openManaged();
  expect(await ask('readBudgets')).toEqual({ budgets: [] });
});
