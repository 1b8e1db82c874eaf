import { expect, test } from 'vitest';
import { openTestGateway } from '../../gateway.fixture.ts';

test.each([
  ['chat', { messages: [{ role: 'user', content: 'hi' }] }],
  ['chat', {}],
  ['generate', { prompt: 'hi' }],
  ['generate', {}],
  ['show', {}],
  ['pull', {}],
  ['embed', { input: 'hi' }],
  ['embed', { input: [] }],
  ['embed', {}],
  ['embeddings', { prompt: '' }],
  ['embeddings', {}],
])('POST /api/%s %j without a model is refused in the words of Ollama', async (call, body) => {
  const gateway = await openTestGateway({ routes: { '*': ['offline/offline'] } });

  for (const model of [undefined, null, '']) {
    const { status, text } = await gateway.call(`/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, model }),
    });
    expect([status, text]).toEqual([400, '{"error":"model is required"}']);
  }
});
