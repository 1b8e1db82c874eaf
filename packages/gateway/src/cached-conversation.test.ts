import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countingClaude } from './counting-claude.fixture.ts';
import { openTestGateway, provider } from './gateway.fixture.ts';

type Json = Record<string, unknown>;

const TURNS = 20;
const SYSTEM = 'You work in a large repository and follow its rules to the letter. '.repeat(150);
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const TOOLS = ['read', 'list', 'search'].map((name) => ({ name, description: `${name}s files. `.repeat(20) }));

/** Two calls in most turns; in some so many that no mark at the end alone would reach back over them. */
const answer = (call: number) => [
  { type: 'text', text: `Step ${call}.` },
  ...Array.from({ length: call % 7 === 0 ? 14 : 2 }, (_, index) => ({
    type: 'tool_use',
    id: `toolu_${call}_${index}`,
    name: 'read',
    input: { path: `src/${call}/${index}.ts`, lines: [1, 20] },
  })),
];
const result = (id: string) => `What ${id} found. `.repeat(12);

/** How one dialect asks, remembers and tells its usage. */
interface Speaker {
  path: string;
  /** The next request, from what it remembers. */
  request(): Json;
  /** Remembers an answer and what its tools returned. */
  hear(answered: Json | Json[]): void;
  /** Input tokens that came from the cache, went to it, and all of them, as far as the dialect has words for it. */
  usage(answered: Json | Json[]): { read?: number | undefined; written?: number | undefined; all: number };
}

const chat = (): Speaker => {
  const messages: Json[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: 'Look around.' },
  ];
  const tools = TOOLS.map((tool) => ({ type: 'function', function: { ...tool, parameters: SCHEMA } }));
  return {
    path: '/v1/chat/completions',
    request: () => ({ model: 'claude', messages, tools }),
    hear(answered) {
      const [{ message }] = (answered as { choices: { message: Json }[] }).choices as [{ message: Json }];
      messages.push(message);
      for (const { id } of message['tool_calls'] as { id: string }[])
        messages.push({ role: 'tool', tool_call_id: id, content: result(id) });
    },
    usage(answered) {
      const usage = (answered as Json)['usage'] as { prompt_tokens: number; prompt_tokens_details: Json };
      return {
        read: usage.prompt_tokens_details['cached_tokens'] as number,
        written: usage.prompt_tokens_details['cache_write_tokens'] as number,
        all: usage.prompt_tokens,
      };
    },
  };
};

const responses = (): Speaker => {
  const input: Json[] = [{ role: 'user', content: 'Look around.' }];
  const tools = TOOLS.map((tool) => ({ type: 'function', ...tool, parameters: SCHEMA }));
  return {
    path: '/v1/responses',
    request: () => ({ model: 'claude', instructions: SYSTEM, input, tools, store: false }),
    hear(answered) {
      const output = (answered as Json)['output'] as Json[];
      input.push(...output);
      for (const { type, call_id: id } of output)
        if (type === 'function_call')
          input.push({ type: 'function_call_output', call_id: id, output: result(String(id)) });
    },
    usage(answered) {
      const usage = (answered as Json)['usage'] as { input_tokens: number; input_tokens_details: Json };
      return {
        read: usage.input_tokens_details['cached_tokens'] as number,
        written: usage.input_tokens_details['cache_write_tokens'] as number,
        all: usage.input_tokens,
      };
    },
  };
};

const messages = (): Speaker => {
  const turns: Json[] = [{ role: 'user', content: 'Look around.' }];
  const tools = TOOLS.map((tool) => ({ ...tool, input_schema: SCHEMA }));
  return {
    path: '/v1/messages',
    request: () => ({ model: 'claude', max_tokens: 100, system: SYSTEM, messages: turns, tools }),
    hear(answered) {
      const content = (answered as Json)['content'] as Json[];
      const calls = content.filter(({ type }) => type === 'tool_use');
      turns.push(
        { role: 'assistant', content },
        {
          role: 'user',
          content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result(String(id)) })),
        },
      );
    },
    usage(answered) {
      const usage = (answered as Json)['usage'] as Record<string, number>;
      const [read, written] = [usage['cache_read_input_tokens']!, usage['cache_creation_input_tokens']!];
      return { read, written, all: usage['input_tokens']! + read + written };
    },
  };
};

const augment = (): Speaker => {
  const history: Json[] = [];
  const place = {
    id: 2,
    type: 4,
    ide_state_node: { workspace_folders: [{ folder_root: '/w', repository_root: '/w' }] },
  };
  let nodes: Json[] = [{ id: 1, type: 0, text_node: { content: 'Look around.' } }, place];
  const nodesIn = (lines: Json | Json[]) => (lines as Json[]).flatMap((line) => (line['nodes'] ?? []) as Json[]);
  return {
    path: '/chat-stream',
    request: () => ({
      model: 'claude',
      message: '',
      nodes,
      chat_history: history,
      user_guidelines: SYSTEM,
      tool_definitions: TOOLS.map((tool) => ({ ...tool, input_schema_json: JSON.stringify(SCHEMA) })),
    }),
    hear(answered) {
      const heard = nodesIn(answered).filter(({ type }) => type !== 10);
      history.push({ request_message: '', response_text: '', request_nodes: nodes, response_nodes: heard });
      nodes = [
        place,
        ...heard.flatMap((node) => {
          const id = (node['tool_use'] as Json | undefined)?.['tool_use_id'] as string | undefined;
          return id === undefined
            ? []
            : [{ id: 1, type: 1, tool_result_node: { tool_use_id: id, content: result(id), is_error: false } }];
        }),
      ];
    },
    usage(answered) {
      const usage = nodesIn(answered).find(({ type }) => type === 10)!['token_usage'] as Record<string, number>;
      return {
        read: usage['cache_read_input_tokens']!,
        written: usage['cache_creation_input_tokens']!,
        all: usage['input_tokens']!,
      };
    },
  };
};

const gemini = (): Speaker => {
  const contents: Json[] = [{ role: 'user', parts: [{ text: 'Look around.' }] }];
  const functionDeclarations = TOOLS.map((tool) => ({ ...tool, parametersJsonSchema: SCHEMA }));
  return {
    path: '/v1beta/models/claude:generateContent',
    request: () => ({
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents,
      tools: [{ functionDeclarations }],
    }),
    hear(answered) {
      const [{ content }] = (answered as { candidates: [{ content: { parts: Json[] } }] }).candidates;
      const calls = content.parts.flatMap((part) => ('functionCall' in part ? [part['functionCall'] as Json] : []));
      const parts = calls.map(({ id, name, args }) => ({
        functionResponse: { id, name, response: { output: result(JSON.stringify(args)) } },
      }));
      contents.push(content, { role: 'user', parts });
    },
    usage(answered) {
      const usage = (answered as Json)['usageMetadata'] as Record<string, number>;
      return { read: usage['cachedContentTokenCount'], all: usage['promptTokenCount']! };
    },
  };
};

/** This protocol knows no ids of calls and no cache in its usage. */
const ollama = (): Speaker => {
  const said: Json[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: 'Look around.' },
  ];
  const tools = TOOLS.map((tool) => ({ type: 'function', function: { ...tool, parameters: SCHEMA } }));
  return {
    path: '/api/chat',
    request: () => ({ model: 'claude', messages: said, tools, stream: false }),
    hear(answered) {
      const message = (answered as Json)['message'] as {
        tool_calls: { function: { name: string; arguments: Json } }[];
      };
      said.push(message);
      for (const { function: called } of message.tool_calls)
        said.push({ role: 'tool', tool_name: called.name, content: result(JSON.stringify(called.arguments)) });
    },
    usage: (answered) => ({ all: (answered as Json)['prompt_eval_count'] as number }),
  };
};

test.each([
  ['Augment', augment],
  ['Chat Completions', chat],
  ['Responses', responses],
  ['Messages', messages],
  ['Gemini', gemini],
  ['Ollama', ollama],
  ["Chat Completions, through the AI SDK's package,", chat, { type: 'ai-sdk', package: '@ai-sdk/anthropic-v5' }],
] as const)(
  'a conversation of twenty turns with tools in %s has nine tenths of its input read from the cache of Claude',
  async (_, open, through: { type?: 'ai-sdk'; package?: string } = {}) => {
    const claude = await startFakeProvider();
    const { make, calls } = countingClaude(answer);
    claude.answer(make);
    const gateway = await openTestGateway({
      providers: { claude: { ...provider('anthropic-messages', claude.url), ...through } },
      routes: { claude: ['claude/claude-sonnet-5'] },
    });
    const speaker = open();
    for (let turn = 1; turn <= TURNS; turn++) {
      const { status, text } = await gateway.call(speaker.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(speaker.request()),
      });
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      const answered = (
        speaker.path === '/chat-stream'
          ? text
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line) as Json)
          : JSON.parse(text)
      ) as Json | Json[];
      const { read, written, rest } = calls.at(-1)!;
      expect({ read, written, all: read + written + rest }).toMatchObject(speaker.usage(answered));
      speaker.hear(answered);
    }
    const all = calls.reduce((sum, { read, written, rest }) => sum + read + written + rest, 0);
    const read = calls.reduce((sum, call) => sum + call.read, 0);
    expect(calls.length).toBe(TURNS);
    expect(read / all).toBeGreaterThan(0.9);
    // After the first call, what is not new to the conversation is never paid for in full.
    for (const [index, call] of calls.slice(1).entries())
      expect(call.read).toBe(calls[index]!.read + calls[index]!.written);
  },
);

test('the calls of a conversation have one name at the cache of OpenAI, relayed or not, and other conversations another', async () => {
  const openai = await startFakeProvider();
  openai.answer({ body: '{}' });
  const gateway = await openTestGateway({
    providers: {
      chat: { ...provider('openai-chat', openai.url), promptCaching: true },
      responses: { ...provider('openai-responses', openai.url), promptCaching: true },
      other: provider('openai-chat', openai.url),
    },
  });
  const long = 'All about it. '.repeat(100);
  const ask = async (model: string, ...said: string[]) => {
    const messages = said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
    await gateway.call('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages }),
    });
    return openai.requests.at(-1)!.body['prompt_cache_key'];
  };
  for (const model of ['chat/gpt-5', 'responses/gpt-5']) {
    const name = await ask(model, long);
    expect(name).toMatch(/^[\w-]{43}$/);
    expect(await ask(model, long, 'Well.', 'Go on.')).toBe(name);
    expect(await ask(model, `${long}?`)).not.toBe(name);
  }
  expect(await ask('other/gpt-5', long)).toBeUndefined();
});
