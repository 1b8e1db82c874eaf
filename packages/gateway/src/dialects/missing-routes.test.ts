import { expect, test } from 'vitest';
import { openTestGateway } from '../gateway.fixture.ts';

test('a token that stands in an address twice is told to nobody', async () => {
  const { call, tokenOf } = await openTestGateway({});
  const { models: token } = tokenOf;

  const { status, body } = await call(`/token/${token}/token/${token}/v1/models`);

  expect([status, body.error?.message]).toEqual([404, 'There is nothing at GET /token/••••••/v1/models.']);
});

test.each([
  ['POST', '/v1/images/generations'],
  ['GET', '/v1/files/file-1?limit=2'],
  ['DELETE', '/gateway/v1/batches'],
])('%s %s, which is not served, is told in the form that the client reads', async (method, path) => {
  const { call } = await openTestGateway({});
  const message = `There is nothing at ${method} ${path.split('?', 1)[0]}.`;

  const toOpenAi = await call(path, { method });
  const toAnthropic = await call(path, { method, headers: { 'anthropic-version': '2023-06-01' } });
  const withKey = await call(path, { method, headers: { 'x-api-key': 'DGM_nobody', authorization: '' } });

  expect([toOpenAi.status, toOpenAi.body]).toEqual([
    404,
    { error: { message, type: 'invalid_request_error', param: null, code: 'not-found' } },
  ]);
  expect([toAnthropic.status, toAnthropic.body]).toEqual([
    404,
    { type: 'error', error: { type: 'not_found_error', message } },
  ]);
  expect([withKey.status, withKey.body]).toMatchObject([
    401,
    { type: 'error', error: { type: 'authentication_error' } },
  ]);
});
