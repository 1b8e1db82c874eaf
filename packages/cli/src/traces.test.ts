import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectedSpan, startFakeProvider, startTraceCollector, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveHere } from './serve-here.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TOKEN = 'a-token-of-this-very-process';

/** An MCP server whose one tool tells what came beside its input. */
const MCP_SERVER = `
import { createInterface } from 'node:readline';
const tool = { name: 'where', description: 'Tells where it is.', inputSchema: { type: 'object' } };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } }),
    'tools/list': () => ({ tools: [tool] }),
    'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(params._meta) }] }),
    ping: () => ({}),
  };
  const result = results[method]?.();
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }) + '\\n');
});
`;

/** A server of this process. */
async function serve(home: string) {
  vi.stubEnv('DRAGOMAN_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { server, stop } = await serveHere({ token: TOKEN });
  return { url: server.url, stop };
}

const answer = (delta: object, finish: string) => ({
  body: [
    `data: ${JSON.stringify({ id: 'c', choices: [{ delta }] })}\n\n`,
    `data: ${JSON.stringify({ id: 'c', choices: [{ delta: {}, finish_reason: finish }], usage: { prompt_tokens: 9, completion_tokens: 2 } })}\n\n`,
    'data: [DONE]\n\n',
  ],
});

test('one trace goes from a prompt over the hub and the agent to models, tools and MCP servers', async () => {
  const [collector, fake] = [await startTraceCollector(), await startFakeProvider()];
  const home = tempFolder();
  const project = tempFolder();
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src', 'a.ts'), 'export const SECRET_WORDS = 1;\n');
  writeFileSync(join(home, 'server.mjs'), MCP_SERVER);
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({
      agent: { titles: { auto: false } },
      providers: { fake: { type: 'openai-chat', baseUrl: `${fake.url}/v1`, models: ['m'] } },
      routes: { default: ['fake/m'] },
      mcp: { demo: { command: [process.execPath, join(home, 'server.mjs')] } },
      permissions: { demo_where: 'allow' },
      telemetry: { traces: { url: collector.url, headers: { 'x-key': 'collector-key' } } },
    }),
  );
  const calls = [
    { index: 0, id: 'call_1', function: { name: 'read', arguments: '{"filePath":"src/a.ts"}' } },
    { index: 1, id: 'call_2', function: { name: 'demo_where', arguments: '{}' } },
  ];
  fake.answer(answer({ tool_calls: calls }, 'tool_calls'), answer({ content: 'Done.' }, 'stop'));
  const { url, stop } = await serve(home);

  const created = await fetch(`${url}/api/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${PARENT}-01`,
    },
    body: JSON.stringify({ agent: 'native', folder: project, prompt: { text: 'words of a person' } }),
  });
  expect(created.status).toBe(200);
  const second = await fake.request(2);
  await second.ended;
  const session = (await created.json()) as { id: string };
  await expect
    .poll(
      async () => {
        const told = await fetch(`${url}/api/sessions/${session.id}`, {
          headers: { authorization: `Bearer ${TOKEN}` },
        });
        return ((await told.json()) as { status: string }).status;
      },
      { timeout: 60_000 },
    )
    .toBe('idle');
  await stop();

  const ofTrace = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => ofTrace.filter((span) => span.name === name);
  const chain = (span: CollectedSpan | undefined): string[] =>
    span === undefined ? [] : [...chain(ofTrace.find(({ spanId }) => spanId === span.parentSpanId)), span.name];
  const turn = ['POST /api/sessions', 'hub prompt', 'turn native', 'invoke_agent build'];
  expect(named('POST /api/sessions')).toMatchObject([{ parentSpanId: PARENT }]);
  expect(named('target fake/m').map(chain)).toEqual([
    [...turn, 'chat default', 'target fake/m'],
    [...turn, 'chat default', 'target fake/m'],
  ]);
  expect(chain(named('execute_tool read')[0])).toEqual([...turn, 'execute_tool read']);
  expect(chain(named('execute_tool demo_where')[0])).toEqual([...turn, 'execute_tool demo_where']);
  expect(named('execute_tool read')[0]!.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read',
    'gen_ai.tool.call.id': 'call_1',
  });
  expect(named('turn native')[0]!.attributes).toMatchObject({ 'gen_ai.conversation.id': session.id });
  expect(named('chat default')[0]!.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 9 });
  expect(fake.requests.slice(0, 2).map(({ headers }) => headers['traceparent'])).toEqual(
    named('target fake/m').map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
  );
  // What the MCP server was told came back as its result.
  expect(second.text).toContain(`00-${TRACE}-${named('execute_tool demo_where')[0]!.spanId}-01`);

  const sent = collector.requests.map(({ text }) => text).join('');
  for (const hidden of ['words of a person', 'SECRET_WORDS', 'src/a.ts', TOKEN, 'collector-key'])
    expect(sent).not.toContain(hidden);
});
