import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { QuestionAnswer } from '../question/question.ts';
import type { Tool } from '../tools/tool.ts';
import { convertMcpTool, type McpCall } from './convert-mcp-tool.ts';
import { toolContext } from './mcp.fixture.ts';
import type { McpToolDefinition } from './mcp-wire.ts';

const inputSchema = {
  type: 'object',
  description: 'What to look for.',
  properties: { query: { type: 'string', description: 'In your own words.', minLength: 1 }, $defs: {} },
  required: ['query'],
  additionalProperties: true,
  'x-vendor': { kept: true },
};
const tool: McpToolDefinition = { name: 'find', description: '  Finds it.\n', inputSchema };
const answer = (text: string) => Promise.resolve({ content: [{ type: 'text', text }] });

test('a tool of a server becomes a tool of ours [FR-41] [FR-47]', async () => {
  const calls: unknown[] = [];
  const call: McpCall = (input) => {
    calls.push(input);
    return answer('found');
  };

  const info = convertMcpTool({ clientName: 'docs', tool, call, timeoutMs: 1000 });

  expect(info.id).toBe('docs_find');
  expect(await info.execute({ query: 'it' }, toolContext())).toEqual({
    title: 'docs: find',
    output: 'found',
    attachments: [],
    metadata: { server: 'docs', tool: 'find' },
  });
  expect(calls).toEqual([{ query: 'it' }]);
});

test('schema and descriptions stay as the server wrote them [FR-43]', () => {
  const info = convertMcpTool({ clientName: 'docs', tool, call: () => answer(''), timeoutMs: 1000 });

  expect(info.parameters).toBe(inputSchema);
  expect(info.description).toBe('  Finds it.\n');
});

test('a tool without a schema takes nothing, and one that says it reads is believed for running it beside others', () => {
  const bare = convertMcpTool({ clientName: 'docs', tool: { name: 'x' }, call: () => answer(''), timeoutMs: 1000 });
  const reading = convertMcpTool({
    clientName: 'docs',
    tool: { name: 'x', title: 'Look', annotations: { readOnlyHint: true } },
    call: () => answer(''),
    timeoutMs: 1000,
  });

  expect(bare).toMatchObject({ description: '', parameters: { type: 'object', properties: {} }, isReadOnly: false });
  expect(reading.isReadOnly).toBe(true);
  expect(reading.permission).toBeUndefined();
});

test('structured content is the output where there is no other [FR-46]', async () => {
  const call: McpCall = () => Promise.resolve({ content: [], structuredContent: { total: 3 } });
  const info = convertMcpTool({ clientName: 'docs', tool, call, timeoutMs: 1000 });

  expect(await info.execute({}, toolContext())).toMatchObject({ output: '{"total":3}' });
});

test('an error without a text, and anything thrown, is told with its tool and server', async () => {
  const silent = convertMcpTool({
    clientName: 'docs',
    tool,
    call: () => Promise.resolve({ isError: true }),
    timeoutMs: 1000,
  });
  const broken = convertMcpTool({
    clientName: 'docs',
    tool,
    call: () => Promise.reject(new Error('socket hang up')),
    timeoutMs: 1000,
  });

  await expect(silent.execute({}, toolContext())).rejects.toThrow('docs: find failed and did not say why.');
  await expect(broken.execute({}, toolContext())).rejects.toMatchObject({
    name: 'ToolError',
    message: 'The tool "find" of the MCP server "docs" failed: socket hang up',
  });
});

describe('time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A call that never ends, though it is told to. */
  function hanging(timeoutMs: number) {
    let progress = (_step: number): void => {};
    const call: McpCall = (_input, { onProgress }) => {
      progress = (step) => onProgress({ progress: step });
      return new Promise(() => {});
    };
    const info = convertMcpTool({ clientName: 'docs', tool, call, timeoutMs });
    return { info, progress: (step: number) => progress(step) };
  }

  test('a call that is silent for its limit ends with server, tool and limit [FR-48]', async () => {
    const { info } = hanging(1000);
    const outcome = info.execute({}, toolContext()).catch((error: unknown) => error);

    await vi.advanceTimersByTimeAsync(1000);

    expect(await outcome).toMatchObject({
      name: 'ToolError',
      message:
        'The tool "find" of the MCP server "docs" did not finish within 1000 ms. Ask it for less, or go on without it; ' +
        'a person can raise "timeout" of the server or "mcp_timeout".',
      metadata: { server: 'docs', tool: 'find', timeoutMs: 1000 },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('progress starts the time anew, up to ten times the limit [FR-48]', async () => {
    const { info, progress } = hanging(1000);
    let outcome: unknown = 'running';
    info.execute({}, toolContext()).catch((error: Error) => {
      outcome = error.message;
    });

    for (let step = 0; step < 12; step += 1) {
      await vi.advanceTimersByTimeAsync(800);
      progress(step);
    }
    expect(outcome).toBe('running');
    await vi.advanceTimersByTimeAsync(400);

    expect(outcome).toContain('did not finish within 10000 ms');
    progress(99);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('time that a person takes to answer does not count', async () => {
    const asked: ((answer: QuestionAnswer) => void)[] = [];
    const call: McpCall = async (_input, { person }) => {
      for (const title of ['one', 'two'])
        await person!.ask({ title, reason: '', options: [], takesText: true }, new AbortController().signal);
      return new Promise(() => {});
    };
    const info = convertMcpTool({ clientName: 'docs', tool, call, timeoutMs: 1000 });
    let outcome: unknown = 'running';
    const askPerson: Tool.Context['askPerson'] = () => new Promise((resolve) => asked.push(resolve));
    info.execute({}, toolContext({ askPerson })).catch((error: Error) => {
      outcome = error.message;
    });

    for (const answer of [0, 1]) {
      await vi.advanceTimersByTimeAsync(60_000);
      asked[answer]!({ type: 'text', text: 'yes' });
    }
    await vi.advanceTimersByTimeAsync(900);
    expect(outcome).toBe('running');
    await vi.advanceTimersByTimeAsync(100);

    expect(outcome).toContain('did not finish within 1000 ms');
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the runtime's own limit leaves room for that [FR-48]", () => {
    const { info } = hanging(1000);

    expect(info.timeoutMs?.({})).toBe(15_000);
  });

  test('a call that was cancelled before it began does not begin to wait', async () => {
    const { info } = hanging(1000);

    await expect(info.execute({}, toolContext({ abort: AbortSignal.abort() }))).rejects.toThrow('was cancelled');
    expect(vi.getTimerCount()).toBe(0);
  });
});
