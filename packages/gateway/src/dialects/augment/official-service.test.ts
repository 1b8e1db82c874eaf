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

test('a question goes to the official service without secrets, files as they are, and an answer tells nobody the token', async () => {
  const official = await startFakeProvider();
  official.answer({ body: '{"said":"Bearer augment-token-1234"}', headers: { 'content-type': 'text/html' } });
  const gateway = await openTestGateway({ augment: { baseUrl: official.url, token: 'augment-token-1234' } });
  const key = `sk-${'a1B2c3D4'.repeat(5)}`;
  const ask = (path: string, body: unknown) =>
    gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const blobs = { added_blobs: ['ab12'.repeat(16)], deleted_blobs: [] };
  const asked = { information_request: `where is ${key} used?`, blobs, dialog: [{ text: key }] };
  const { text, headers } = await ask('/agents/codebase-retrieval', asked);
  expect(text).toBe('{"said":"Bearer [REDACTED]"}');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(official.requests[0]!.text).not.toContain(key);
  expect(official.requests[0]!.body).toMatchObject({ blobs });

  const upload = { blobs: [{ path: 'a.ts', content: key }] };
  await ask('/batch-upload', upload);
  expect(official.requests[1]!.body).toEqual(upload);
});
