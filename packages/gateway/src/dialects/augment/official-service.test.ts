import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway } from '../../gateway.fixture.ts';

test('an answer of the official service that is larger than 8 MB is given up', async () => {
  const official = await startFakeProvider();
  official.answer({ body: 'x'.repeat(9 * 1024 * 1024) });
  const gateway = await openTestGateway({ augment: { baseUrl: official.url, token: 'augment-token' } });
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

  const { status, text } = await gateway.call('/agents/codebase-retrieval', asked);
  expect(status).toBe(503);
  expect(text).toContain("The official service's answer is larger than 8388608 bytes.");
  expect((await gateway.call('/get-models', asked)).status).toBe(200);
});
