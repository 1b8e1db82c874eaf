import { type AnswerMaker, type ProviderRequest, startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from './gateway.fixture.ts';

interface Part {
  text?: string;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string };
  functionResponse?: { id?: string; name: string };
}

/** As long as those of a model that thought for a while, with every letter of base64. */
const signatureOf = (step: number) => Buffer.from(`${step}`.repeat(900) + '\u00fb\u00ff\u00fe').toString('base64');

/**
 * Gemini 3 as it is with tools: two calls at once, then a third, then text; the first call of each step is signed. It refuses
 * a turn in which a signature is missing or another than it gave.
 */
const strictGemini: AnswerMaker = (request) => {
  const contents = request.body['contents'] as { role: string; parts: Part[] }[];
  const steps = contents.filter(({ role, parts }) => role === 'model' && parts.some((part) => part.functionCall));
  const unsigned = steps.findIndex(
    ({ parts }, step) => parts.find((part) => part.functionCall)!.thoughtSignature !== signatureOf(step),
  );
  if (unsigned !== -1)
    return {
      status: 400,
      body: `{"error":{"code":400,"message":"Function call is missing a thought_signature in step ${unsigned}.","status":"INVALID_ARGUMENT"}}`,
    };
  const call = (id: string, name: string, step?: number): Part => ({
    functionCall: { id, name },
    ...(step === undefined ? {} : { thoughtSignature: signatureOf(step) }),
  });
  const parts = [[call('a', 'read', 0), call('b', 'list')], [call('c', 'read', 1)], [{ text: 'Done.' }]][steps.length]!;
  const chunk = JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    modelVersion: 'gemini-3-pro',
  });
  return request.path.includes('alt=sse') ? { body: [`data: ${chunk}\n\n`] } : { body: chunk };
};

type Call = (path: string, body: unknown) => Promise<{ status: number; text: string }>;
interface Step {
  calls: { id: string; name: string }[];
  text: string;
}

/** The lines of a stream, or the whole body. */
const lines = <Line>(text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {') || line.startsWith('{'))
    .map((line) => JSON.parse(line.replace(/^data: /, '')) as Line);

interface ChatMessage {
  content?: string | null;
  tool_calls?: { id?: string; function: { name: string }; extra_content?: object }[];
}
interface Block {
  type: string;
  id: string;
  name: string;
  text?: string;
}
interface Item {
  type: string;
  call_id: string;
  name: string;
  content?: { text: string }[];
}
interface Node {
  type: number;
  content: string;
  tool_use?: { tool_use_id: string; tool_name: string };
}

/**
 * Clients that keep of an answer what every client of the protocol keeps: its text, and of a call its id, name and
 * arguments.
 */
const CLIENTS: Record<string, (call: Call, stream: boolean, steps: Step[]) => Promise<Step | string>> = {
  async 'openai-chat'(call, stream, steps) {
    const { status, text } = await call('/v1/chat/completions', {
      model: 'g/gemini-3-pro',
      stream,
      messages: [
        { role: 'user', content: 'Look' },
        ...steps.flatMap(({ calls }) => [
          {
            role: 'assistant',
            tool_calls: calls.map(({ id, name }) => ({ id, type: 'function', function: { name, arguments: '{}' } })),
          },
          ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'x' })),
        ]),
      ],
    });
    if (status !== 200) return text;
    const messages = lines<{ choices: { message?: ChatMessage; delta?: ChatMessage }[] }>(text).flatMap(({ choices }) =>
      choices.map(({ message, delta }) => message ?? delta ?? {}),
    );
    const calls = messages.flatMap((message) => message.tool_calls ?? []);
    return {
      calls: calls.flatMap(({ id, function: { name } }) => (id === undefined ? [] : [{ id, name }])),
      text: messages.map(({ content }) => content ?? '').join(''),
    };
  },
  async 'anthropic-messages'(call, stream, steps) {
    const { status, text } = await call('/v1/messages', {
      model: 'g/gemini-3-pro',
      stream,
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Look' },
        ...steps.flatMap(({ calls }) => [
          { role: 'assistant', content: calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })) },
          { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) },
        ]),
      ],
    });
    if (status !== 200) return text;
    const events = lines<{ content?: Block[]; content_block?: Block; delta?: { text?: string } }>(text);
    const blocks = events.flatMap(({ content, content_block: block }) => content ?? block ?? []);
    return {
      calls: blocks.flatMap(({ type, id, name }) => (type === 'tool_use' ? [{ id, name }] : [])),
      text: [...blocks, ...events.map(({ delta }) => delta)].map((said) => said?.text ?? '').join(''),
    };
  },
  async 'openai-responses'(call, stream, steps) {
    const { status, text } = await call('/v1/responses', {
      model: 'g/gemini-3-pro',
      stream,
      input: [
        { role: 'user', content: 'Look' },
        ...steps.flatMap(({ calls }) => [
          ...calls.map(({ id, name }) => ({ type: 'function_call', call_id: id, name, arguments: '{}' })),
          ...calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'x' })),
        ]),
      ],
    });
    if (status !== 200) return text;
    const last = lines<{ response?: { output: Item[] }; output?: Item[] }>(text).at(-1);
    const output = last?.response?.output ?? last?.output ?? [];
    return {
      calls: output.flatMap(({ type, call_id: id, name }) => (type === 'function_call' ? [{ id, name }] : [])),
      text: output.map(({ content }) => content?.[0]?.text ?? '').join(''),
    };
  },
  async ollama(call, stream, steps) {
    const { status, text } = await call('/api/chat', {
      model: 'g/gemini-3-pro',
      stream,
      messages: [
        { role: 'user', content: 'Look' },
        ...steps.flatMap(({ calls }) => [
          {
            role: 'assistant',
            content: '',
            tool_calls: calls.map(({ id, name }) => ({ id, function: { name, arguments: {} } })),
          },
          ...calls.map(({ name }) => ({ role: 'tool', tool_name: name, content: 'x' })),
        ]),
      ],
    });
    if (status !== 200) return text;
    const messages = lines<{ message: ChatMessage }>(text).map(({ message }) => message);
    return {
      calls: messages.flatMap((message) =>
        (message.tool_calls ?? []).map(({ id, function: { name } }) => ({ id: id!, name })),
      ),
      text: messages.map(({ content }) => content ?? '').join(''),
    };
  },
  async augment(call, stream, steps) {
    const results = steps.map(({ calls }) =>
      calls.map(({ id }, at) => ({ id: at, type: 1, tool_result_node: { tool_use_id: id, content: 'x' } })),
    );
    const { status, text } = await call(stream ? '/chat-stream' : '/chat', {
      model: 'g/gemini-3-pro',
      message: steps.length === 0 ? 'Look' : '',
      nodes: results.at(-1) ?? [],
      chat_history: steps.map(({ calls }, step) => ({
        request_message: step === 0 ? 'Look' : '',
        request_nodes: results[step - 1] ?? [],
        response_text: '',
        response_nodes: calls.map(({ id, name }, at) => ({
          id: at,
          type: 5,
          tool_use: { tool_use_id: id, tool_name: name, input_json: '{}' },
        })),
      })),
    });
    if (status !== 200) return text;
    const nodes = lines<{ nodes?: Node[] }>(text).flatMap((line) => line.nodes ?? []);
    return {
      calls: nodes.flatMap(({ tool_use: use }) => (use ? [{ id: use.tool_use_id, name: use.tool_name }] : [])),
      text: nodes.map(({ type, content }) => (type === 0 ? content : '')).join(''),
    };
  },
};
const WAYS = Object.keys(CLIENTS).flatMap((client) => [true, false].map((stream) => ({ client, stream })));

const callOf =
  (gateway: Awaited<ReturnType<typeof openTestGateway>>): Call =>
  (path, body) =>
    gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

test.each(WAYS)(
  'a client of $client that gives nothing back but ids finishes its tools with Gemini 3 (streamed: $stream)',
  async ({ client, stream }) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({ providers: { g: provider('gemini', fake.url) } });
    fake.answer(strictGemini);
    const steps: Step[] = [];

    for (let step = 0; step < 3; step++) {
      const answer = await CLIENTS[client]!(callOf(gateway), stream, steps);
      if (typeof answer === 'string') throw new Error(answer);
      steps.push(answer);
    }

    expect(steps.map(({ calls }) => calls.map(({ name }) => name))).toEqual([['read', 'list'], ['read'], []]);
    expect(steps[2]!.text).toBe('Done.');
    const ids = (request: ProviderRequest) =>
      (request.body['contents'] as { parts: Part[] }[]).flatMap(({ parts }) =>
        parts.flatMap((part) => (part.functionCall ?? part.functionResponse)?.id ?? []),
      );
    expect(ids(fake.requests[2]!)).toEqual(['a', 'b', 'a', 'b', 'c', 'c']);
  },
);

test.each(['openai-chat', 'openai-responses', 'anthropic-messages'] as const)(
  'a conversation that Gemini began goes on at a provider of type %s, translated or passed on, with ids of the usual length',
  async (target) => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { g: provider('gemini', fake.url), other: provider(target, fake.url) },
    });

    for (const client of Object.keys(CLIENTS)) {
      fake.answer(strictGemini);
      const first = await CLIENTS[client]!(callOf(gateway), true, []);
      if (typeof first === 'string') throw new Error(first);
      expect(first.calls[0]!.id.length).toBeGreaterThan(1000);
      fake.answer({ body: recordedAnswer(target, 'text') });
      const elsewhere: Call = (path, body) => callOf(gateway)(path, { ...(body as object), model: 'other/m' });

      expect(await CLIENTS[client]!(elsewhere, true, [first])).not.toBeTypeOf('string');

      const sent = fake.requests.at(-1)!.text;
      expect(sent).toContain('"a"');
      expect(sent).not.toContain('__ts');
    }
  },
);

test("a client that keeps what Google's own service of Chat Completions puts beside a call may send that", async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { g: provider('gemini', fake.url) } });
  fake.answer(strictGemini);
  const ask = { role: 'user', content: 'Look' };
  const first = await callOf(gateway)('/v1/chat/completions', { model: 'g/gemini-3-pro', messages: [ask] });
  const [answer] = lines<{ choices: [{ message: ChatMessage }] }>(first.text);
  const [one, other] = answer!.choices[0].message.tool_calls!;

  expect(one!.extra_content).toEqual({ google: { thought_signature: signatureOf(0) } });
  const short = [
    { ...one, id: 'a' },
    { ...other, id: 'b' },
  ];
  const { status } = await callOf(gateway)('/v1/chat/completions', {
    model: 'g/gemini-3-pro',
    messages: [
      ask,
      { role: 'assistant', tool_calls: short },
      ...['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' })),
    ],
  });
  expect(status).toBe(200);
});
