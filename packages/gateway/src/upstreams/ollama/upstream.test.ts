import { readFileSync } from 'node:fs';
import { gatherAnswer, type ModelCall } from '@dragoman/protocol';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { HttpCaller } from '../http-caller.ts';
import { ollamaUpstream } from './upstream.ts';

const call: ModelCall = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] };

test('BYOK-96 a local Ollama answers without a key, streamed and whole', async () => {
  const ollama = await startFakeProvider();
  const caller = new HttpCaller();
  onTestFinished(() => caller.close());
  const target = testTarget({ type: 'ollama', baseUrl: ollama.url, apiKey: undefined }, 'qwen3:8b');
  const ask = async (isStreamed: boolean) => {
    const gathered = gatherAnswer();
    const accepted = await caller.open(ollamaUpstream, call, target, isStreamed, new AbortController().signal);
    await accepted.run(gathered);
    return gathered.answer;
  };
  ollama.answer(
    {
      headers: { 'content-type': 'application/x-ndjson' },
      body: readFileSync(new URL('./recordings/ollama-text.chunks.txt', import.meta.url), 'utf8'),
    },
    {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"model":"qwen3:8b","message":{"role":"assistant","content":"Hi."},"done":true,"done_reason":"stop"}',
    },
  );

  expect([await ask(true), await ask(false)]).toEqual([
    {
      modelId: 'qwen3:8b',
      content: [{ type: 'text', text: 'Grüße, 世界 🌍!' }],
      finishReason: 'stop',
      rawFinishReason: 'stop',
      usage: { inputTokens: 26, outputTokens: 7 },
    },
    { modelId: 'qwen3:8b', content: [{ type: 'text', text: 'Hi.' }], finishReason: 'stop', rawFinishReason: 'stop' },
  ]);
  expect(ollama.requests.map(({ path, headers, body }) => [path, headers.authorization, body['stream']])).toEqual([
    ['/api/chat', undefined, true],
    ['/api/chat', undefined, false],
  ]);
});
