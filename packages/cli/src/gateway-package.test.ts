import {
  augmentPlugin,
  augmentToolsToAnthropic,
  augmentToolsToOpenAi,
  decodeAugmentRequest,
  decodeNdjsonLine,
  encodeAugmentStream,
  encodeNdjsonLine,
  gatewayConfigShape,
  gatewayPlugin,
  parseToolDefinitions,
  RequestWindow,
  toAugmentTool,
  TypedStreamBuilder,
} from '@dragoman/gateway';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';

test('COMPAT-96 the package, imported by its name, mounts the router and the integration', async () => {
  const app = Fastify();
  const config = z.strictObject(gatewayConfigShape).parse({});
  await app.register(gatewayPlugin, { config: () => config });
  await app.register(augmentPlugin, { prefix: '/augment', config: () => config, model: { stream: async () => {} } });
  await app.ready();

  for (const url of ['/chat-stream', '/v1/messages', '/augment/chat-stream'])
    expect(app.hasRoute({ method: 'POST', url })).toBe(true);
  await app.close();
});

test('COMPAT-96 the package, imported by its name, reads and writes NDJSON lines', () => {
  expect(encodeNdjsonLine({ text: 'one\ntwo' })).toBe('{"text":"one\\ntwo"}\n');
  expect(decodeNdjsonLine('{"text":"one\\ntwo"}')).toEqual({ text: 'one\ntwo' });
  expect([decodeNdjsonLine(''), decodeNdjsonLine('not JSON')]).toEqual([undefined, undefined]);
});

test('COMPAT-96 the package, imported by its name, converts tools, streams and requests', () => {
  const [tool] = parseToolDefinitions([{ name: 'f', description: 'does f', input_schema_json: '{"type":"object"}' }]);
  expect(tool).toEqual({ name: 'f', description: 'does f', inputSchema: { type: 'object', properties: {} } });
  const augment = [toAugmentTool(tool!)];
  expect(augmentToolsToOpenAi(augment)).toMatchObject([{ type: 'function', function: { name: 'f' } }]);
  expect(augmentToolsToAnthropic(augment)).toMatchObject([{ name: 'f', input_schema: { type: 'object' } }]);

  const decoded = decodeAugmentRequest({ message: 'hi' }, { systemPromptBase: '', isTyped: false, isStreamed: true });
  expect(decoded.call.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
  const written: string[] = [];
  const encode = encodeAugmentStream((line) => written.push(line), decoded);
  encode.push({ type: 'text-start', id: '0' });
  encode.push({ type: 'text-delta', id: '0', delta: 'hello' });
  expect(written).toEqual(['{"text":"hello"}\n']);
  expect(new TypedStreamBuilder().text('hi')).toBe('{"type":0,"data":{"text":"hi"}}\n');
});

test('COMPAT-96 the package, imported by its name, limits requests', () => {
  const window = new RequestWindow({ requests: 1, windowMs: 1000, now: () => 0 });

  expect([window.take('a').isAllowed, window.take('a').isAllowed]).toEqual([true, false]);
});
