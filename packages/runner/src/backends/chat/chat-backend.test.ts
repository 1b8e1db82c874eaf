import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError, type ModelEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { fails, openChat, says, scriptedModel } from './scripted-chat.fixture.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('UAP-18 what the model says can be read before the answer is complete', async () => {
  const half = Promise.withResolvers<void>();
  const model = scriptedModel([
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'They greet.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      half.promise,
      { type: 'text-delta', id: 't', delta: 'lo' },
      { type: 'text-end', id: 't' },
      { type: 'finish', finishReason: 'stop', usage: { inputTokens: 1_000, outputTokens: 20, reasoningTokens: 5 } },
    ],
  ]);
  const priced = { ...model, contextTokens: 8_000, price: { input: 1, output: 10 } };
  const { backend, session, events, say } = openChat({ openModel: () => priced });
  await backend.start(session);

  const spoken = Promise.withResolvers<void>();
  const emit = session.emit;
  session.emit = (event) => {
    emit(event);
    if (event.type === 'block-delta' && event.delta === 'Hel') spoken.resolve();
  };
  const turn = say('hi');
  await spoken.promise;
  expect(events.at(-1)).toEqual({ type: 'block-delta', blockId: expect.any(String) as string, delta: 'Hel' });
  half.resolve();

  expect(await turn).toEqual({ reason: 'done' });
  expect(events.slice(1).map((event) => ('block' in event ? [event.type, event.block] : [event.type]))).toEqual([
    ['block-start', { type: 'thinking', thinking: '' }],
    ['block-delta'],
    ['block-stop', { type: 'thinking', thinking: 'They greet.' }],
    ['block-start', { type: 'text', text: '' }],
    ['block-delta'],
    ['block-delta'],
    ['block-stop', { type: 'text', text: 'Hello' }],
    [
      'block-stop',
      {
        type: 'usage',
        input_tokens: 1_000,
        output_tokens: 20,
        reasoning_tokens: 5,
        cost_usd: 0.0012,
        context_used: 1_020,
        context_size: 8_000,
      },
    ],
  ]);
});

test('the model is told what was said before, with what it was set up to be', async () => {
  const model = scriptedModel([says('Hello Ada.'), says('Ada.')]);
  const { backend, session, say, events } = openChat({
    openModel: () => model,
    system: 'Be short.',
    model: 'fast',
    listModels: () => ['fast', 'local/qwen'],
  });
  await backend.start(session);
  await say('I am Ada.');
  await say('Who am I?');

  expect(events[0]).toEqual({
    type: 'agent-updated',
    agentSessionId: 'ses_1',
    model: 'fast',
    models: [{ id: 'fast' }, { id: 'local/qwen' }],
  });
  expect(model.calls[1]).toEqual({
    prompt: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello Ada.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Who am I?' }] },
    ],
    tools: [],
  });
});

test('a conversation goes on after a restart, with the thoughts that the provider wants back', async () => {
  const thoughtful: ModelEvent[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'sig' } } },
    ...says('One.'),
  ];
  const first = openChat({ openModel: () => scriptedModel([thoughtful]) });
  await first.backend.start(first.session);
  await first.say('count');
  await first.backend.dispose();

  const model = scriptedModel([says('Two.')]);
  const second = openChat({ openModel: () => model, folder: first.folder });
  await second.backend.resume!(second.session, 'ses_1');
  await second.say('more');

  expect(second.events[0]).toEqual({ type: 'agent-updated', agentSessionId: 'ses_1' });
  expect(model.calls[0]!.prompt.slice(0, 2)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'count' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'One.' },
      ],
    },
  ]);
  expect(await readdir(first.folder)).toEqual(['ses_1.json']);
  expect((await stat(join(first.folder, 'ses_1.json'))).mode & 0o777).toBe(0o600);
});

test('what was said before the process was killed belongs to the conversation, and is written in batches', async () => {
  const model = scriptedModel([
    [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'One, ' },
      { type: 'text-delta', id: 't', delta: 'two, ' },
      new Promise<void>(() => {}),
    ],
  ]);
  const killed = openChat({ openModel: () => model });
  await killed.backend.start(killed.session);
  void killed.say('count');
  const notes = join(killed.folder, 'ses_1.answer');
  await expect.poll(() => readFile(notes, 'utf8').catch(() => '')).toMatch(/\n$/);
  const { messageId } = killed.events.find((event) => event.type === 'block-start')!;
  expect(await readFile(notes, 'utf8')).toBe(`{"after":1,"ids":["${messageId}"],"text":"One, two, "}\n`);

  const open = async () => {
    const next = openChat({ openModel: () => after, folder: killed.folder });
    const after = scriptedModel([says('three.')]);
    await next.backend.resume!(next.session, 'ses_1');
    return { say: next.say, calls: after.calls };
  };
  const next = await open();
  await next.say('Continue');
  expect(next.calls[0]!.prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'count' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'One, two, ' }] },
    { role: 'user', content: [{ type: 'text', text: 'Continue' }] },
  ]);
  expect(await readdir(killed.folder)).toEqual(['ses_1.json']);

  // Notes of an answer that is in the conversation already say nothing new, and neither does a line that was cut off.
  await writeFile(notes, '{"after":1,"ids":[],"text":"One, "}\n{"after":4,"ids":[],"te');
  const last = await open();
  await last.say('more');
  expect(last.calls[0]!.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
});

test('a conversation can be forked, as a whole or before a prompt, and both go their own way', async () => {
  const counting = scriptedModel([says('One.'), says('Two.')]);
  const first = openChat({ openModel: () => counting });
  await first.backend.start(first.session);
  await first.say('first');
  await first.say('second');

  const texts = async (beforeMessageId?: string) => {
    const model = scriptedModel([says('Three.')]);
    const sessionId = beforeMessageId === undefined ? 'ses_2' : 'ses_3';
    const fork = openChat({ openModel: () => model, folder: first.folder }, { sessionId });
    await fork.backend.fork!(fork.session, 'ses_1', beforeMessageId);
    expect(fork.events[0]).toEqual({ type: 'agent-updated', agentSessionId: sessionId });
    await fork.say('third');
    return model.calls[0]!.prompt.flatMap(({ content }) => (content as { text: string }[]).map(({ text }) => text));
  };

  expect(await texts()).toEqual(['first', 'One.', 'second', 'Two.', 'third']);
  expect(await texts('ses_1-prompt-2')).toEqual(['first', 'One.', 'third']);
  const answer = first.events.find((event) => event.type === 'block-stop')!;
  expect(await texts(answer.messageId)).toEqual(['first', 'third']);
  expect((await readFile(join(first.folder, 'ses_1.json'), 'utf8')).includes('third')).toBe(false);
});

test('a conversation that is not there, cannot be read or has no such message is told as that', async () => {
  const { backend, session, folder, say } = openChat({ openModel: () => scriptedModel([says('One.')]) });
  await expect(backend.resume!(session, 'ses_9')).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no conversation "ses_9" on this machine; start a new session.',
  });
  await expect(backend.resume!(session, '../secrets')).rejects.toMatchObject({ code: 'bad-request' });
  await backend.start(session);
  await say('one');
  await expect(backend.fork!(session, 'ses_1', 'msg_9')).rejects.toMatchObject({
    code: 'not-found',
    message: 'The conversation "ses_1" has no message "msg_9"; fork it at one of its prompts.',
  });
  await writeFile(join(folder, 'ses_1.json'), '{"version":1,"ent');
  await expect(backend.resume!(session, 'ses_1')).rejects.toMatchObject({ code: 'data-folder' });
});

test('a turn that is called off ends at once with what was said, even if the model does not stop', async () => {
  const never = new Promise<void>(() => {});
  const model = scriptedModel([
    [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Once upon' }, never],
    says('The end.'),
  ]);
  const { backend, session, events, blocks, say } = openChat({ openModel: () => model });
  await backend.start(session);
  const emit = session.emit;
  session.emit = (event) => {
    emit(event);
    if (event.type === 'block-delta') void backend.cancel();
  };

  expect(await say('a story')).toEqual({ reason: 'cancelled' });
  expect(blocks()).toEqual([{ type: 'text', text: 'Once upon' }]);
  expect(events.at(-1)!.type).toBe('block-stop');

  session.emit = emit;
  expect(await say('go on')).toEqual({ reason: 'done' });
  expect(model.calls[1]!.prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'a story' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Once upon' }] },
    { role: 'user', content: [{ type: 'text', text: 'go on' }] },
  ]);
});

test('cancelling and disposing do nothing where no turn runs, and a second prompt at a time is refused', async () => {
  const gate = Promise.withResolvers<void>();
  const { backend, session, say } = openChat({
    openModel: () => scriptedModel([[gate.promise, ...says('Done.')]]),
  });
  await expect(say('early')).rejects.toMatchObject({
    code: 'bad-request',
    message: 'chat has no conversation yet; start one first.',
  });
  await backend.start(session);
  await backend.cancel();
  await backend.dispose();
  const turn = say('one');
  await expect(say('two')).rejects.toMatchObject({ code: 'conflict' });
  gate.resolve();
  expect(await turn).toEqual({ reason: 'done' });
  await backend.dispose();
});

test('another model can be chosen, for a session and within it; one that is not there is refused', async () => {
  const asked: (string | undefined)[] = [];
  const openModel = (name?: string) => {
    asked.push(name);
    if (name === 'nowhere') throw new DragomanError('not-found', 'There is no model named "nowhere".');
    return scriptedModel([says('Hi.')]);
  };
  const { backend, session, events, say } = openChat({ openModel, model: 'fast' }, { model: 'slow' });
  await backend.start(session);
  await say('hi');
  await backend.setModel!('local/qwen');
  await say('hi');
  await expect(backend.setModel!('nowhere')).rejects.toMatchObject({ code: 'not-found' });
  await say('hi');

  expect(asked).toEqual(['slow', 'local/qwen', 'local/qwen', 'nowhere', 'local/qwen']);
  expect(events.filter(({ type }) => type === 'agent-updated')).toEqual([
    { type: 'agent-updated', agentSessionId: 'ses_1', model: 'slow' },
    { type: 'agent-updated', model: 'local/qwen' },
  ]);
});

const refused = (port: number) =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '127.0.0.1', port });

test.each([
  {
    error: new DragomanError('unavailable', 'The provider "ollama" cannot be reached: ECONNREFUSED', {
      cause: refused(11_434),
    }),
    fix: 'Is Ollama running at 127.0.0.1:11434? Start it with: ollama serve',
  },
  {
    error: new DragomanError('unavailable', 'The provider "local" cannot be reached: ECONNREFUSED', {
      cause: new AggregateError([refused(8_000), refused(8_000)]),
    }),
    fix: 'Is the model server running at 127.0.0.1:8000? Start it, or correct "baseUrl" in dragoman.json.',
  },
  {
    error: new DragomanError('forbidden', 'The provider "claude" answered 401: invalid x-api-key'),
    fix: 'Check the key of that provider ("apiKey" in dragoman.json), or choose another model.',
  },
  {
    error: new DragomanError('not-found', 'The provider "ollama" answered 404: model "qwen" not found'),
    fix: 'Choose another model: "dragoman models" lists them. A model of Ollama has to be there first: ollama pull qwen',
  },
  {
    error: new DragomanError('rate-limited', 'The provider "claude" answered 429', { retryAfterMs: 1_500 }),
    fix: 'Wait 2 s, then send the prompt again; or choose another model.',
  },
  {
    error: new DragomanError('context-overflow', 'The provider "claude" answered 400: prompt is too long'),
    fix: 'The conversation is longer than the model can read: start a new session, or fork this one at an earlier prompt.',
  },
])('the failure $error.message is shown with what to do', async ({ error, fix }) => {
  const model = scriptedModel([fails(error), says('Well.')]);
  const { backend, session, blocks, say } = openChat({ openModel: () => model, model: 'ollama/qwen' });
  await backend.start(session);

  const fault = { code: error.code, message: error.message, fix };
  expect(await say('hi')).toEqual({ reason: 'failed', error: fault });
  expect(blocks()).toEqual([{ type: 'error', ...fault }]);

  // The prompt is not forgotten; both are one message, because some providers want turns to alternate.
  expect(await say('again?')).toEqual({ reason: 'done' });
  expect(model.calls[1]!.prompt).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'text', text: 'again?' },
      ],
    },
  ]);
});

test('an unknown model and a mistake in the way to one end the turn, not the session', async () => {
  const errors = [new DragomanError('not-found', 'There is no model named "x".'), new TypeError('a mistake')];
  const { backend, session, say } = openChat({
    openModel: () => {
      throw errors.shift()!;
    },
    model: 'x',
  });
  await backend.start(session);
  expect(await say('hi')).toMatchObject({ reason: 'failed', error: { code: 'not-found' } });
  expect(await say('hi')).toMatchObject({
    reason: 'failed',
    error: { code: 'internal', message: 'chat failed: a mistake' },
  });
  expect(await backend.prompt({ id: 'p', content: [] })).toMatchObject({
    reason: 'failed',
    error: { code: 'bad-request', message: 'The prompt is empty.' },
  });
});

test('an answer that breaks off keeps what was said, and its thoughts are not sent back', async () => {
  const model = scriptedModel([
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'One, t' },
      { type: 'text-end', id: 't' },
      { type: 'error', error: new DragomanError('unavailable', 'It broke off.', { isRetryable: true }) },
    ],
    says('wo.'),
  ]);
  const { backend, session, blocks, say } = openChat({ openModel: () => model });
  await backend.start(session);
  const end = await say('count');
  expect(end).toMatchObject({ reason: 'failed', error: { fix: 'Send the prompt again in a moment.' } });
  expect(blocks().map(({ type }) => type)).toEqual(['thinking', 'text', 'error']);
  await say('go on');
  expect(model.calls[1]!.prompt[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'One, t' }] });
});

test.each([
  ['length', 'limit', 'Ask it to go on.'],
  ['content-filter', 'refused', 'Put it in other words.'],
] as const)('an answer that ends with %s ends the turn as %s', async (finishReason, reason, fix) => {
  const cut: ModelEvent[] = [...says('A be').slice(0, -1), { type: 'finish', finishReason }];
  const { backend, session, say } = openChat({ openModel: () => scriptedModel([cut]) });
  await backend.start(session);
  expect(await say('hi')).toMatchObject({ reason, error: { code: finishReason, fix } });
});

test('a model that says nothing or calls a tool leaves a notice', async () => {
  const calls: ModelEvent[] = [
    { type: 'tool-input-start', id: 'c', toolName: 'search' },
    { type: 'tool-input-delta', id: 'c', delta: '{}' },
    { type: 'tool-input-end', id: 'c' },
    { type: 'finish', finishReason: 'tool-calls' },
  ];
  const model = scriptedModel([[{ type: 'finish', finishReason: 'stop' }], calls]);
  const { backend, session, blocks, say } = openChat({ openModel: () => model });
  await backend.start(session);
  expect(await say('hi')).toEqual({ reason: 'done' });
  expect(await say('hi')).toEqual({ reason: 'done' });
  expect(blocks()).toEqual([
    { type: 'notice', text: 'The model said nothing.' },
    { type: 'notice', text: 'The model wanted to use search; it has no tools here.' },
  ]);
});

test('images and files reach the model as what they are, and files of words as words', async () => {
  const model = scriptedModel([says('Seen.')]);
  const { backend, session } = openChat({ openModel: () => model });
  await backend.start(session);
  await backend.prompt({
    id: 'p',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image', media_type: 'image/png', data: base64('png') },
      { type: 'image', media_type: 'image/png', url: 'https://example.com/a.png' },
      { type: 'file', name: 'a.ts', media_type: 'application/typescript', data: base64('const a = 1;\n') },
      { type: 'file', name: 'notes.md', data: base64('```\ncode\n```') },
      { type: 'file', name: 'paper.pdf', media_type: 'application/pdf', data: base64('%PDF') },
      { type: 'file', name: 'noise.bin', data: Buffer.from([0xff, 0xfe, 0]).toString('base64') },
      { type: 'file', name: 'far.ts', uri: 'file:///code/far.ts' },
    ],
  });
  expect(model.calls[0]!.prompt[0]!.content).toEqual([
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: base64('png') } },
    { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/a.png' } },
    { type: 'text', text: 'a.ts:\n```\nconst a = 1;\n```' },
    { type: 'text', text: 'notes.md:\n````\n```\ncode\n```\n````' },
    {
      type: 'file',
      mediaType: 'application/pdf',
      data: { type: 'base64', base64: base64('%PDF') },
      filename: 'paper.pdf',
    },
    {
      type: 'file',
      mediaType: 'application/octet-stream',
      data: { type: 'base64', base64: '//4A' },
      filename: 'noise.bin',
    },
    { type: 'text', text: '(far.ts is attached without its content, which cannot be read here.)' },
  ]);
});
