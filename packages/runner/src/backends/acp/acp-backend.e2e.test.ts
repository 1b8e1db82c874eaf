import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chunk, startAcp, testAcp } from './acp.fixture.ts';
import type { Step } from './fake-agent.fixture.ts';

const OPTIONS = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

test('a program that does not speak the protocol at all is not waited for, and what it says is named', async () => {
  const { backend, session } = testAcp({ setup: { command: ['yes'] } });

  await expect(backend.start(session)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Fake (yes) wrote 1001 lines in a row that are not understood, the last of them: y',
  });
});

test('what an agent thinks and says is blocks that can be read while they are written [UAP-17, UAP-18]', async () => {
  const { backend, run, events, messages, until } = await startAcp();

  const turn = run([thought('Let me '), thought('see.'), chunk('Hel'), chunk('lo.'), { hang: true }]);
  await until('block-delta', ({ delta }) => delta === 'lo.');

  expect(events.filter(({ type }) => type.startsWith('block-'))).toMatchObject([
    { type: 'block-start', role: 'assistant', block: { type: 'thinking', thinking: '' } },
    { type: 'block-delta', delta: 'Let me ' },
    { type: 'block-delta', delta: 'see.' },
    { type: 'block-stop', role: 'assistant', block: { type: 'thinking', thinking: 'Let me see.' } },
    { type: 'block-start', role: 'assistant', block: { type: 'text', text: '' } },
    { type: 'block-delta', delta: 'Hel' },
    { type: 'block-delta', delta: 'lo.' },
  ]);
  await backend.cancel();
  expect(await turn).toEqual({ reason: 'cancelled' });
  expect(messages()).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me see.' },
        { type: 'text', text: 'Hello.' },
      ],
    },
  ]);
});

test('text of another message of the agent is a message of its own', async () => {
  const { run, messages } = await startAcp();

  expect(await run([chunk('One', 'a'), chunk(' and a half.', 'a'), chunk('Two.', 'b')])).toEqual({ reason: 'done' });

  expect(messages()).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'One and a half.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
  ]);
});

test('pictures and files among the answer are blocks of their own', async () => {
  const { run, messages } = await startAcp();

  await run([
    content({ type: 'image', mimeType: 'image/png', data: 'aGk=' }),
    content({ type: 'resource_link', name: 'a.txt', uri: 'file:///a.txt' }),
    content({ type: 'resource', resource: { uri: 'file:///b.txt', text: 'hi' } }),
    content({ type: 'hologram', data: 'x' }),
  ]);

  expect(messages()).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'image', media_type: 'image/png', data: 'aGk=' },
        { type: 'file', name: 'a.txt', uri: 'file:///a.txt' },
        { type: 'file', name: 'b.txt', uri: 'file:///b.txt', data: 'aGk=' },
      ],
    },
  ]);
});

test('a call is told when it is first seen, asked about with the options of the agent, and shows its output live', async () => {
  const { backend, run, events, messages, asked, until } = await startAcp();

  const turn = run([
    call('pending', { title: 'bash', kind: 'execute', rawInput: {} }),
    call('in_progress', { title: 'npm test', rawInput: { command: 'npm test', description: 'Runs the tests' } }),
    {
      ask: {
        toolCall: { toolCallId: 'call_1', title: 'npm test', rawInput: { command: 'npm test' } },
        options: OPTIONS,
      },
    },
    call('in_progress', output('```\n1 passed\n```')),
    call('in_progress', output('```\n1 passed\n2 passed\n```')),
    { hang: true },
  ]);
  const { id, ...approval } = await asked();
  expect(approval).toEqual({
    title: 'npm test',
    toolUseId: 'call_1',
    call: { name: 'bash', input: { command: 'npm test', description: 'Runs the tests' } },
    options: [
      { id: 'once', name: 'Allow once', kind: 'allow_once' },
      { id: 'always', name: 'Always', kind: 'allow_always' },
      { id: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    question: { tool: 'bash', subjects: [{ kind: 'command', value: 'npm test' }] },
  });
  await backend.answer(id, { type: 'selected', optionId: 'once' });
  await until('block-delta', ({ delta }) => delta.includes('2 passed'));
  await backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
  expect(events.filter(({ type }) => type.startsWith('block-'))).toMatchObject([
    { type: 'block-start', role: 'assistant', block: { type: 'tool_use', id: 'call_1', name: 'bash', input: {} } },
    {
      type: 'block-stop',
      block: {
        type: 'tool_use',
        id: 'call_1',
        name: 'bash',
        title: 'npm test',
        kind: 'execute',
        input: { command: 'npm test', description: 'Runs the tests' },
      },
    },
    { type: 'block-start', block: { type: 'text' } },
    { type: 'block-delta', delta: 'answered {"outcome":{"outcome":"selected","optionId":"once"}}' },
    { type: 'block-stop', block: { type: 'text' } },
    { type: 'block-start', role: 'user', block: { type: 'tool_result', tool_use_id: 'call_1', content: '' } },
    { type: 'block-delta', delta: '1 passed' },
    { type: 'block-delta', delta: '\n2 passed' },
    { type: 'block-stop', block: { type: 'tool_result', content: '1 passed\n2 passed' } },
  ]);
  expect(messages().map(({ role }) => role)).toEqual(['assistant', 'user']);
});

test('a call that is over has its result, with the change that it was asked about as a diff', async () => {
  const { backend, run, messages, asked, cwd } = await startAcp();
  const path = join(cwd, 'src/a.txt');
  const diff = { type: 'diff', path, oldText: 'one\ntwo\n', newText: 'one\n2\n' };

  const turn = run([
    call('pending', { title: 'edit', kind: 'edit', locations: [{ path, line: 2 }] }),
    { ask: { toolCall: { toolCallId: 'call_1', content: [diff] }, options: OPTIONS } },
    call('completed', { ...output('Edited.'), rawOutput: { output: 'not this' } }),
  ]);
  const approval = await asked();
  await backend.answer(approval.id, { type: 'selected', optionId: 'once' });
  await turn;

  const unified = '--- src/a.txt\n+++ src/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
  expect(approval).toMatchObject({
    title: 'edit',
    diffs: [{ path: 'src/a.txt', unified }],
    question: { tool: 'edit', subjects: [{ kind: 'path', value: 'src/a.txt' }] },
  });
  expect(messages()).toMatchObject([
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', name: 'edit', kind: 'edit', locations: [{ path: 'src/a.txt', line: 2 }] },
        { type: 'text' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: 'Edited.', diffs: [{ path: 'src/a.txt', unified }] },
      ],
    },
  ]);
});

test('a call that failed is an error, and its raw output is shown where it shows nothing else', async () => {
  const { run, messages } = await startAcp();

  await run([
    call('pending', { title: 'ls', rawInput: 'x' }),
    call('failed', { rawOutput: { error: 'no such folder' } }),
  ]);

  expect(messages()).toEqual([
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'ls', input: { input: 'x' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'no such folder', is_error: true }],
    },
  ]);
});

test('an id that an agent uses again is another call', async () => {
  const { run, messages } = await startAcp();
  const steps = [call('pending', { title: 'ls' }), call('completed', output('a.ts'))];

  await run(steps);
  await run(steps);

  const ids = messages().flatMap(({ content: blocks }) =>
    blocks.map((block) =>
      block.type === 'tool_use' ? block.id : block.type === 'tool_result' ? block.tool_use_id : '',
    ),
  );
  expect(ids).toEqual(['call_1', 'call_1', ids[2], ids[2]]);
  expect(ids[2]).toMatch(/^call_[0-9a-z]{26}$/);
});

test('a refusal is passed on as the option of the agent that says no', async () => {
  const { backend, run, messages, asked } = await startAcp();
  const ask: Step = {
    ask: { toolCall: { toolCallId: 'call_1', title: 'rm -rf x', kind: 'execute' }, options: OPTIONS },
  };

  const turn = run([ask]);
  const approval = await asked();
  await backend.answer(approval.id, { type: 'rejected', feedback: 'no' });
  await backend.answer(approval.id, { type: 'selected', optionId: 'once' });

  expect(await turn).toEqual({ reason: 'done' });
  // The command is only in the title, which no rule may trust: the tool as such is asked about.
  expect(approval.question).toEqual({ tool: 'bash', subjects: [] });
  expect(messages()[0]!.content.at(-1)).toEqual({
    type: 'text',
    text: 'answered {"outcome":{"outcome":"selected","optionId":"no"}}',
  });
});

test('a turn that is called off answers what waits, withdraws it, and asks nothing more', async () => {
  const { backend, run, events, messages, asked } = await startAcp();
  const ask: Step = { ask: { toolCall: { toolCallId: 'call_1', title: 'x' }, options: OPTIONS } };

  const turn = run([ask, ask, { hang: true }]);
  const { id } = await asked();
  await backend.cancel();
  await backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
  expect(events.filter(({ type }) => type.startsWith('approval-'))).toMatchObject([
    { type: 'approval-asked' },
    { type: 'approval-withdrawn', approvalId: id },
  ]);
  expect(messages()[0]!.content.at(-1)).toEqual({
    type: 'text',
    text: 'answered {"outcome":{"outcome":"cancelled"}}'.repeat(2),
  });
});

test('a question about a call that went on without an answer is withdrawn', async () => {
  const { run, events, asked } = await startAcp();

  const turn = run([
    call('pending', { title: 'x' }),
    { ask: { toolCall: { toolCallId: 'call_1' }, options: OPTIONS }, isImpatient: true },
    call('completed'),
    chunk('done'),
  ]);
  const { id } = await asked();

  expect(await turn).toEqual({ reason: 'done' });
  const types = events.map(({ type }) => type);
  expect(events).toContainEqual({ type: 'approval-withdrawn', approvalId: id });
  expect(types.indexOf('approval-withdrawn')).toBeLessThan(types.indexOf('block-delta'));
});

test('an agent that does not heed that its turn was cancelled is ended, and started again for the next one', async () => {
  const { backend, run, until, messages } = await startAcp({ cancelLimitMs: 50 });

  const turn = run([chunk('working'), { deaf: true }]);
  await until('block-delta');
  await backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
  expect(await run('hello')).toEqual({ reason: 'done' });
  expect(messages().at(-1)!.content).toEqual([{ type: 'text', text: 'You said "hello", and before: []' }]);
});

test('an agent that dies fails its turn with its last words, and the next prompt goes on with the conversation', async () => {
  const { run, messages, events } = await startAcp({ offer: { capabilities: { loadSession: true } } });

  await run('first');
  const end = await run([chunk('I am '), { stderr: 'out of memory' }, { exit: 3 }]);
  const from = events.length;
  const next = await run('second');

  expect(end).toEqual({
    reason: 'failed',
    error: { code: 'unavailable', message: expect.stringMatching(/^Fake \(.*\) exited with code 3: out of memory$/) },
  });
  expect(next).toEqual({ reason: 'done' });
  // What the agent tells of its history while it is loaded is not told again.
  expect(messages(from)).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'You said "second", and before: ["first"]' }] },
  ]);
});

test('an agent that dies and cannot go on with a conversation is started anew, and says so', async () => {
  const { run, messages, events } = await startAcp();

  await run([{ exit: 0 }]);
  const from = events.length;
  await run('again');

  expect(messages(from)).toEqual([
    {
      role: 'agent',
      content: [{ type: 'notice', text: 'Fake was started anew and remembers nothing of before.', level: 'warning' }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'You said "again", and before: []' }] },
  ]);
});

test('an agent that tells its history after the answer to session/load shows nothing old as new', async () => {
  const offer = { capabilities: { loadSession: true }, tellsHistoryLate: true };
  const first = await startAcp({ offer });
  await first.run('one');
  const { agentSessionId } = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);
  await first.backend.dispose();

  const second = testAcp({ offer, state: first.state, cwd: first.cwd });
  await second.backend.resume(second.session, agentSessionId!);
  await second.run('two');

  expect(second.messages()).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'You said "two", and before: ["one"]' }] },
  ]);
});

test.each(['resume', 'load'])('a conversation of earlier goes on in another process (%s)', async (way) => {
  const capabilities = way === 'load' ? { loadSession: true } : { sessionCapabilities: { resume: {} } };
  const first = await startAcp({ offer: { capabilities } });
  await first.run('one');
  const { agentSessionId } = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);
  await first.backend.dispose();

  const second = testAcp({ offer: { capabilities }, state: first.state, cwd: first.cwd });
  await second.backend.resume(second.session, agentSessionId!);
  await second.run('two');
  await second.run([call('pending', { title: 'ls' }), call('completed')]);

  expect(second.heard().map(({ method }) => method)).toContain(`session/${way}`);
  expect(second.messages().slice(0, 1)).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'You said "two", and before: ["one"]' }] },
  ]);
  // A short id may stand in the earlier part of the session.
  expect(second.messages()[1]!.content).toMatchObject([
    { type: 'tool_use', id: expect.stringMatching(/^call_\w{26}$/) },
  ]);
});

test('a conversation that the agent does not know any more is not found', async () => {
  const tested = testAcp({ offer: { capabilities: { loadSession: true } } });

  await expect(tested.backend.resume(tested.session, 'ses-gone')).rejects.toMatchObject({
    code: 'not-found',
    message: 'Fake could not open the session: there is no session ses-gone',
  });
  // The same object can then be used for a new one.
  await tested.backend.start(tested.session);
  expect(await tested.run('hello')).toEqual({ reason: 'done' });
});

test('a fork knows the conversation and has an id of its own', async () => {
  const offer = { capabilities: { sessionCapabilities: { fork: {} } } };
  const first = await startAcp({ offer });
  await first.run('one');
  const { agentSessionId } = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);

  const second = testAcp({ offer, state: first.state });
  await second.backend.fork(second.session, agentSessionId!);
  await second.run('two');

  const forked = await second.until('agent-updated', (event) => event.agentSessionId !== undefined);
  expect(forked.agentSessionId).not.toBe(agentSessionId);
  expect(forked.capabilities).toMatchObject({ fork: true });
  expect(second.messages()).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'You said "two", and before: ["one"]' }] },
  ]);
});

test('what an agent cannot do is refused in words', async () => {
  const tested = testAcp();

  await expect(tested.backend.resume(tested.session, 'ses-1')).rejects.toMatchObject({
    code: 'not-found',
    message: 'Fake cannot go on with a conversation of earlier; start a new one',
  });
  await expect(tested.backend.fork(tested.session, 'ses-1')).rejects.toMatchObject({ code: 'bad-request' });
  await expect(tested.backend.fork(tested.session, 'ses-1', 'msg_1')).rejects.toMatchObject({ code: 'bad-request' });
  await tested.backend.start(tested.session);
  expect(tested.backend.capabilities).toMatchObject({ resume: false, fork: false, models: false, modes: false });
  await expect(tested.backend.setModel('x')).rejects.toThrow('Fake does not let its model be chosen');
});

test('plan, commands, title, mode and what was used are told as what they are', async () => {
  const { run, events, messages } = await startAcp({
    offer: {
      session: { modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { id: 'code' }] } },
    },
  });
  const from = events.length;

  await run([
    { update: { sessionUpdate: 'plan', entries: [{ content: 'Look', status: 'in_progress', priority: 'high' }] } },
    {
      update: {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', status: 'completed', priority: 'high' },
          { content: 'Leap', status: 'dreaming', priority: 'urgent' },
        ],
      },
    },
    {
      update: {
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'init', description: 'Begins' }, {}],
      },
    },
    { update: { sessionUpdate: 'session_info_update', title: 'A title' } },
    { update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' } },
    { update: { sessionUpdate: 'usage_update', used: 500, size: 1000, cost: { amount: 0.25, currency: 'USD' } } },
    { update: { sessionUpdate: 'usage_update', used: 600, size: 1000, cost: { amount: 0.5, currency: 'USD' } } },
    { update: { sessionUpdate: 'notice', severity: 'warning', title: 'Slow', description: 'the network' } },
    { stop: 'end_turn', usage: { inputTokens: 10, outputTokens: 5, thoughtTokens: 2, cachedReadTokens: 1 } },
  ]);

  expect(events.slice(from).filter(({ type }) => type === 'agent-updated')).toEqual([
    { type: 'agent-updated', commands: [{ name: 'init', description: 'Begins' }] },
    { type: 'agent-updated', title: 'A title' },
    { type: 'agent-updated', mode: 'code' },
  ]);
  expect(messages().map(({ role }) => role)).toEqual(['agent', 'agent']);
  expect(messages().flatMap(({ content: blocks }) => blocks)).toEqual([
    {
      type: 'plan',
      entries: [
        { content: 'Look', status: 'completed', priority: 'high' },
        { content: 'Leap', status: 'pending' },
      ],
    },
    { type: 'notice', text: 'Slow: the network', level: 'warning' },
    {
      type: 'usage',
      input_tokens: 10,
      output_tokens: 5,
      reasoning_tokens: 2,
      cache_read_tokens: 1,
      context_used: 600,
      context_size: 1000,
      cost_usd: 0.5,
    },
  ]);
});

test('a later turn tells what it cost itself, not all that the session has', async () => {
  const { run, messages, events } = await startAcp();
  const cost = (amount: number): Step => ({
    update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } },
  });

  await run([cost(0.5)]);
  const from = events.length;
  await run([cost(0.75)]);

  expect(messages(from).flatMap(({ content: blocks }) => blocks)).toEqual([
    { type: 'usage', context_used: 1, context_size: 2, cost_usd: 0.25 },
  ]);
});

test('what nobody here knows is passed over: kinds of updates, of calls, of states, of options, and lines that are no message', async () => {
  const { backend, run, messages, asked } = await startAcp();

  const turn = run([
    { raw: 'Debugger attached.' },
    { raw: '{"jsonrpc":"2.0","method":"session/update","params":null}' },
    { update: { sessionUpdate: 'hologram', shape: 'cube' } },
    { update: { sessionUpdate: 'tool_call', title: 'no id' } },
    call('thinking-about-it', { title: 'Dream of sheep', kind: 'dream', content: [{ type: 'smell' }], rawInput: null }),
    { ask: { toolCall: { toolCallId: 'call_1' }, options: [{ optionId: 'x', kind: 'maybe' }, { name: 'no id' }] } },
    call('completed', { content: 'not a list' }),
    { stop: 'bored' },
  ]);
  const approval = await asked();
  await backend.answer(approval.id, { type: 'rejected' });

  expect(await turn).toEqual({ reason: 'done' });
  expect(approval).toMatchObject({
    title: 'Dream of sheep',
    options: [{ id: 'x', name: 'x', kind: 'answer' }],
    question: { tool: 'dream', subjects: [] },
  });
  expect(messages()).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'call_1', name: 'dream', input: {}, title: 'Dream of sheep', kind: 'other' },
        { type: 'text', text: 'answered {"outcome":{"outcome":"cancelled"}}' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '' }] },
  ]);
});

test('what is said after a turn is told too, and closed when the agent is quiet', async () => {
  const { run, messages, until } = await startAcp();

  await run([{ after: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'By the way.' } } }]);
  await until('block-stop');

  expect(messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'By the way.' }] }]);
});

test.each([
  ['refusal', { reason: 'refused' }],
  ['cancelled', { reason: 'cancelled' }],
  ['max_tokens', { reason: 'limit', error: { code: 'limit', message: expect.stringContaining('most tokens') } }],
  ['max_turn_requests', { reason: 'limit', error: { code: 'limit', message: expect.stringContaining('model calls') } }],
])('a turn that stops with %s ends so', async (stop, end) => {
  const { run } = await startAcp();

  expect(await run([{ stop }])).toEqual(end);
});

test('a turn that the agent fails is told with its details, and the next one runs', async () => {
  const { run } = await startAcp();

  expect(
    await run([{ error: { code: -32603, message: 'Internal error', data: { details: 'quota is used up' } } }]),
  ).toEqual({
    reason: 'failed',
    error: { code: 'internal', message: 'quota is used up' },
  });
  expect(await run('hello')).toEqual({ reason: 'done' });
});

test('files of the session can be read and written for the agent, and others cannot', async () => {
  const { run, messages, cwd } = await startAcp();
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');

  await run([
    { call: ['fs/read_text_file', { path: join(cwd, 'a.txt'), line: 2, limit: 1 }] },
    { call: ['fs/write_text_file', { path: join(cwd, 'new/b.txt'), content: 'hi' }] },
    { call: ['fs/read_text_file', { path: '/etc/hostname' }] },
  ]);

  expect(readFileSync(join(cwd, 'new/b.txt'), 'utf8')).toBe('hi');
  expect(messages()[0]!.content).toEqual([
    {
      type: 'text',
      text: [
        'fs/read_text_file {"content":"two\\n"}',
        'fs/write_text_file {}',
        `fs/read_text_file {"code":-32602,"message":"/etc/hostname is not in the folder of this session, ${cwd}"}`,
        '',
      ].join('\n'),
    },
  ]);
});

test('a command in a terminal of ours shows its output at the call, as it comes and after its release', async () => {
  const { run, messages, events } = await startAcp();
  const terminal = { content: [{ type: 'terminal', terminalId: '$terminal' }] };

  await run([
    { call: ['terminal/create', { command: 'echo', args: ['from the terminal'] }] },
    call('pending', { title: 'bash', kind: 'execute', rawInput: { command: 'echo from the terminal' } }),
    call('in_progress', terminal),
    { call: ['terminal/wait_for_exit', { terminalId: '$terminal' }] },
    { call: ['terminal/output', { terminalId: '$terminal' }] },
    { call: ['terminal/release', { terminalId: '$terminal' }] },
    { call: ['terminal/output', { terminalId: '$terminal' }] },
    call('completed', terminal),
  ]);

  const blocks = messages().flatMap(({ content: each }) => each);
  expect(events).toContainEqual({ type: 'block-delta', blockId: expect.anything(), delta: 'from the terminal\n' });
  expect(blocks).toContainEqual({ type: 'tool_result', tool_use_id: 'call_1', content: 'from the terminal\n' });
  expect(blocks.find(({ type }) => type === 'text')).toMatchObject({
    text: expect.stringMatching(
      /^terminal\/wait_for_exit {"exitCode":0,"signal":null}\nterminal\/output {"output":"from the terminal\\n","truncated":false,"exitStatus":{"exitCode":0,"signal":null}}\nterminal\/release {}\nterminal\/output {"code":-32002,"message":"there is no terminal \\"term_/,
    ),
  });
});

test('prompts carry text, pictures and files as the agent takes them', async () => {
  const { run, heard } = await startAcp({ offer: { capabilities: { promptCapabilities: { image: true } } } });

  await run([
    { type: 'text', text: 'Look at this' },
    { type: 'image', media_type: 'image/png', data: 'aGk=' },
    { type: 'file', name: 'a b.ts', uri: '/work/a b.ts' },
  ]);

  expect(heard().at(-1)).toEqual({
    prompt: [
      { type: 'text', text: 'Look at this' },
      { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      { type: 'resource_link', name: 'a b.ts', uri: 'file:///work/a%20b.ts' },
    ],
  });
});

test('only one turn runs at a time, and none before the session is started', async () => {
  const { backend, run, until } = await startAcp();
  await expect(testAcp().run('x')).rejects.toMatchObject({ code: 'conflict' });

  const turn = run([chunk('x'), { hang: true }]);
  await until('block-delta');
  await expect(run('y')).rejects.toMatchObject({ code: 'conflict' });
  await backend.cancel();

  expect(await turn).toEqual({ reason: 'cancelled' });
});

test('a session that is ended takes the agent with it, in the middle of a turn too', async () => {
  const { backend, run, until, asked, cwd } = await startAcp();

  const turn = run([
    { call: ['terminal/create', { command: `sleep 1000; touch ${cwd}/was-not-ended` }] },
    { ask: { toolCall: { toolCallId: 'call_1' }, options: OPTIONS } },
  ]);
  const { id } = await asked();
  await backend.dispose();
  await backend.dispose();

  expect(await turn).toEqual({ reason: 'interrupted' });
  expect(await until('approval-withdrawn')).toMatchObject({ approvalId: id });
  expect(existsSync(join(cwd, 'was-not-ended'))).toBe(false);
  await expect(run('more')).rejects.toMatchObject({ code: 'cancelled' });
});

test('an agent that says nothing for longer than it may is ended, and the turn tells it', async () => {
  const { run } = await startAcp({ setup: { options: { silenceMinutes: 0.001 } } });

  expect(await run([{ deaf: true }])).toEqual({
    reason: 'failed',
    error: { code: 'timed-out', message: expect.stringContaining('said nothing for') },
  });
});

function thought(text: string): Step {
  return { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } } };
}

function content(block: object): Step {
  return { update: { sessionUpdate: 'agent_message_chunk', content: block } };
}

/** `pending` announces the call; any other state is told of a call that is known. */
function call(status: string, more: object = {}): Step {
  const sessionUpdate = status === 'pending' ? 'tool_call' : 'tool_call_update';
  return { update: { sessionUpdate, toolCallId: 'call_1', status, ...more } };
}

function output(text: string): object {
  return { content: [{ type: 'content', content: { type: 'text', text } }] };
}
