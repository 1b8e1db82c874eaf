import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goldenReply, goldenSessions, protocolBlocks } from '../../backend/golden-moves.fixture.ts';
import { CODEX_PRESET, probeCodex } from './codex-agent.ts';
import { codexConfigSchema } from './codex-config.ts';
import { command, say, startCodex, testCodex } from './codex.fixture.ts';
import type { Step } from './fake-codex.fixture.ts';
import { toSteps } from './golden-steps.fixture.ts';

// The real program needs an account. These run a stand-in for it as a process, with the messages that it documents.
describe('Codex (a stand-in; the real program needs an account)', () => {
  test('what it thinks and says is blocks that can be read while they are written, and told once [UAP-17, UAP-18, UAP-22]', async () => {
    const { backend, run, events, messages, until } = await startCodex();

    const turn = run([
      { item: { type: 'reasoning', id: 'rs_1', summary: ['Let me see.', 'Now.'], content: [] } },
      say('Hello you.'),
      { hang: true },
    ]);
    await until('block-stop', ({ block }) => block.type === 'text');

    expect(events.filter(({ type }) => type.startsWith('block-'))).toMatchObject([
      { type: 'block-start', role: 'assistant', block: { type: 'thinking', thinking: '' } },
      { type: 'block-delta', delta: 'Let ' },
      { type: 'block-delta', delta: 'me ' },
      { type: 'block-delta', delta: 'see.' },
      { type: 'block-delta', delta: '\n\nNow.' },
      { type: 'block-stop', block: { type: 'thinking', thinking: 'Let me see.\n\nNow.' } },
      { type: 'block-start', role: 'assistant', block: { type: 'text', text: '' } },
      { type: 'block-delta', delta: 'Hello ' },
      { type: 'block-delta', delta: 'you.' },
      { type: 'block-stop', block: { type: 'text', text: 'Hello you.' } },
    ]);
    await backend.cancel();
    expect(await turn).toEqual({ reason: 'cancelled' });
    expect(messages()).toHaveLength(1);
  });

  test('an item that was not streamed is told when it is whole, and thoughts from two sources are told once', async () => {
    const { run, blocks } = await startCodex();
    const delta = (method: string, text: string): Step => ({
      notify: [method, { itemId: 'rs', delta: text, contentIndex: 0 }],
    });

    await run([
      { complete: { type: 'agentMessage', id: 'a', text: 'One.' } },
      { complete: { type: 'agentMessage', id: 'b', text: 'Two.' } },
      delta('item/reasoning/textDelta', 'raw'),
      delta('item/reasoning/summaryTextDelta', 'summary'),
      { complete: { type: 'reasoning', id: 'rs', summary: [], content: ['raw and more'] } },
    ]);

    expect(blocks('text').map(({ text }) => text)).toEqual(['One.', 'Two.']);
    expect(blocks('thinking')).toEqual([{ type: 'thinking', thinking: 'raw and more' }]);
  });

  test('a session tells its id, model, mode and what can be chosen', async () => {
    const models = [
      { id: 'p1', model: 'gpt-test', displayName: 'GPT Test', description: 'For tests', hidden: false },
      { id: 'p2', model: 'gpt-old', displayName: 'GPT Old', description: '', hidden: true },
    ];
    const { events, heard, cwd, until } = await startCodex({ offer: { models } });

    await until('agent-updated', (event) => event.models !== undefined);
    expect(events).toEqual([
      {
        type: 'agent-updated',
        agentSessionId: expect.any(String),
        model: 'gpt-test',
        mode: 'auto',
        modes: expect.arrayContaining([expect.objectContaining({ id: 'read-only' })]),
        capabilities: {
          resume: true,
          fork: true,
          steer: true,
          approvals: true,
          images: true,
          files: true,
          models: true,
          modes: true,
        },
      },
      { type: 'agent-updated', models: [{ id: 'gpt-test', name: 'GPT Test', description: 'For tests' }] },
    ]);
    expect(heard('initialize')).toMatchObject([{ clientInfo: { name: 'dragoman' } }]);
    expect(heard('thread/start')).toEqual([{ cwd }]);
  });

  test('a command shows its output live, and then its result', async () => {
    const { run, events, cwd } = await startCodex();

    await run([
      { item: command('call_1', 'npm test', { cwd, aggregatedOutput: 'ok 1\nok 2\n' }), output: ['ok 1\n', 'ok 2\n'] },
      { item: command('call_2', 'false', { cwd, status: 'failed', exitCode: 1 }) },
      {
        item: command('call_3', 'cat a.txt', { cwd: '/elsewhere', commandActions: [{ type: 'read', path: 'a.txt' }] }),
      },
    ]);

    const bash = (id: string, line: string) => ({
      type: 'tool_use',
      id,
      name: 'bash',
      input: { command: line },
      title: line,
    });
    expect(events.filter(({ type }) => type.startsWith('block-'))).toMatchObject([
      { type: 'block-stop', role: 'assistant', block: { ...bash('call_1', 'npm test'), kind: 'execute' } },
      { type: 'block-start', role: 'user', block: { type: 'tool_result', tool_use_id: 'call_1', content: '' } },
      { type: 'block-delta', delta: 'ok 1\n' },
      { type: 'block-delta', delta: 'ok 2\n' },
      { type: 'block-stop', block: { type: 'tool_result', tool_use_id: 'call_1', content: 'ok 1\nok 2\n' } },
      { type: 'block-stop', block: bash('call_2', 'false') },
      { type: 'block-stop', block: { tool_use_id: 'call_2', content: 'It ended with exit code 1.', is_error: true } },
      {
        type: 'block-stop',
        block: { ...bash('call_3', 'cat a.txt'), kind: 'read', input: { command: 'cat a.txt', cwd: '/elsewhere' } },
      },
      { type: 'block-stop', block: { tool_use_id: 'call_3', content: '' } },
    ]);
  });

  test('changes to files come with their diffs', async () => {
    const { run, blocks, cwd } = await startCodex();
    const changes = [
      { path: join(cwd, 'new.md'), kind: { type: 'add' }, diff: '# New\n' },
      { path: join(cwd, 'old.md'), kind: { type: 'delete' }, diff: 'a\nb\n' },
      {
        path: join(cwd, 'a.ts'),
        kind: { type: 'update', move_path: join(cwd, 'b.ts') },
        diff: '@@ -1 +1 @@\n-1\n+2\n\n\nMoved to: b.ts',
      },
    ];

    await run([{ item: { type: 'fileChange', id: 'call_1', changes, status: 'completed' } }]);

    expect(blocks('tool_use')).toMatchObject([
      {
        name: 'edit',
        kind: 'edit',
        title: 'Edit new.md, old.md, a.ts, b.ts',
        locations: [{ path: 'new.md' }, {}, {}, {}],
      },
    ]);
    expect(blocks('tool_result')).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: 'add: new.md\ndelete: old.md\nupdate: a.ts\nadd: b.ts',
        diffs: [
          { path: 'new.md', unified: '--- /dev/null\n+++ new.md\n@@ -0,0 +1,1 @@\n+# New\n' },
          { path: 'old.md', unified: '--- old.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n' },
          { path: 'b.ts', unified: '--- a.ts\n+++ b.ts\n@@ -1 +1 @@\n-1\n+2\n' },
        ],
      },
    ]);
  });

  test('other tools, pictures, plans, notices and what it took are told', async () => {
    const { run, blocks, until } = await startCodex();
    const tokens = (input: number, output: number) => ({
      totalTokens: input + output,
      inputTokens: input,
      cachedInputTokens: 0,
      outputTokens: output,
      reasoningOutputTokens: 0,
    });
    const took = (input: number, output: number): Step => ({
      notify: [
        'thread/tokenUsage/updated',
        { tokenUsage: { total: tokens(input, output), last: tokens(60, 6), modelContextWindow: 1000 } },
      ],
    });

    await run([
      {
        item: {
          type: 'mcpToolCall',
          id: 'm',
          server: 'github',
          tool: 'list_issues',
          arguments: { repo: 'x' },
          status: 'completed',
          result: {
            content: [
              { type: 'text', text: '#1' },
              { type: 'image', mimeType: 'image/png', data: 'aGk=' },
            ],
          },
        },
      },
      {
        item: {
          type: 'mcpToolCall',
          id: 'n',
          server: 'github',
          tool: 'close',
          status: 'failed',
          error: { message: 'no right' },
        },
      },
      {
        item: { type: 'webSearch', id: 'w', query: 'weather', action: { type: 'search', queries: ['weather today'] } },
      },
      { item: { type: 'imageGeneration', id: 'g', status: 'completed', result: 'cGlj' } },
      { item: { type: 'contextCompaction', id: 'c' } },
      {
        notify: [
          'turn/plan/updated',
          {
            plan: [
              { step: 'Read', status: 'completed' },
              { step: 'Write', status: 'inProgress' },
            ],
          },
        ],
      },
      { notify: ['warning', { message: 'Low on disk.' }] },
      { notify: ['warning', { message: 'Low on disk.' }] },
      { notify: ['error', { error: { message: 'Stream cut.' }, willRetry: true }] },
      { notify: ['thread/name/updated', { threadName: 'The weather' }] },
      took(100, 10),
      took(100, 10),
      took(160, 16),
    ]);
    await run([took(200, 20)]);

    expect(blocks('tool_use').map(({ name }) => name)).toEqual(['github_list_issues', 'github_close', 'web-search']);
    expect(blocks('tool_result')).toMatchObject([
      { content: '#1', attachments: [{ type: 'image', media_type: 'image/png', data: 'aGk=' }] },
      { content: 'no right', is_error: true },
      { content: 'weather today' },
    ]);
    expect(blocks('image')).toEqual([{ type: 'image', media_type: 'image/png', data: 'cGlj' }]);
    expect(blocks('plan')).toEqual([
      {
        type: 'plan',
        entries: [
          { content: 'Read', status: 'completed' },
          { content: 'Write', status: 'in_progress' },
        ],
      },
    ]);
    expect(blocks('notice').map(({ text }) => text)).toEqual([
      'The conversation so far was summed up.',
      'Low on disk.',
      'Stream cut. It tries again.',
    ]);
    await until('agent-updated', ({ title }) => title === 'The weather');
    expect(blocks('usage')).toEqual([
      { type: 'usage', input_tokens: 160, output_tokens: 16, context_used: 66, context_size: 1000 },
      { type: 'usage', input_tokens: 40, output_tokens: 4, context_used: 66, context_size: 1000 },
    ]);
  });

  test('calls of an agent that it gave work to are told as part of that, and other threads are passed over', async () => {
    const { run, blocks } = await startCodex();
    const spawn = {
      type: 'collabAgentToolCall',
      id: 'spawn',
      tool: 'spawnAgent',
      prompt: 'Find the door',
      receiverThreadIds: ['t2'],
    };

    await run([
      { begin: { ...spawn, status: 'inProgress', agentsStates: {} } },
      { thread: 't2', item: command('inner', 'grep door', { aggregatedOutput: 'door.ts' }) },
      { thread: 't2', ...say('I found it.') },
      { thread: 't9', item: command('stranger', 'rm x') },
      {
        complete: {
          ...spawn,
          status: 'completed',
          agentsStates: { t2: { status: 'completed', message: 'In door.ts.' } },
        },
      },
      say('In door.ts.'),
    ]);

    expect(blocks('tool_use')).toMatchObject([
      { id: 'spawn', name: 'spawnAgent', kind: 'task', title: 'Find the door' },
      { id: 'inner', name: 'bash', parent_tool_use_id: 'spawn' },
    ]);
    expect(blocks('tool_result')).toMatchObject([
      { tool_use_id: 'inner', content: 'door.ts' },
      { tool_use_id: 'spawn', content: 'In door.ts.' },
    ]);
    expect(blocks('text')).toEqual([{ type: 'text', text: 'In door.ts.' }]);
  });

  describe('questions', () => {
    const item = command('call_1', 'git push', { status: 'inProgress' });
    const script: Step[] = [
      { begin: item },
      {
        ask: [
          'item/commandExecution/requestApproval',
          {
            itemId: 'call_1',
            command: item['command'],
            reason: 'It needs the network.',
            proposedExecpolicyAmendment: ['git', 'push'],
            additionalPermissions: { network: { enabled: true } },
          },
        ],
        onYes: [{ complete: command('call_1', 'git push', { aggregatedOutput: 'pushed' }) }],
        onNo: [{ complete: { ...item, status: 'declined' } }],
      },
    ];

    test('a command that needs a yes is asked about, with what its rules would be asked', async () => {
      const { backend, run, asked, answers, blocks } = await startCodex();

      const turn = run(script);
      const { id, ...approval } = await asked();
      expect(approval).toEqual({
        title: 'Run: git push',
        toolUseId: 'call_1',
        call: {
          name: 'bash',
          input: { command: 'git push', additionalPermissions: { network: { enabled: true } } },
        },
        reason: 'It needs the network.\nthe network',
        allowsText: true,
        options: [
          { id: 'accept', name: 'Allow once', kind: 'allow_once' },
          { id: 'acceptForSession', name: 'Allow for this session', kind: 'allow_always' },
          { id: 'rule-2', name: 'Always allow: git push …', kind: 'allow_always' },
          { id: 'decline', name: 'Deny', kind: 'reject_once' },
        ],
        question: { tool: 'bash', subjects: [{ kind: 'command', value: 'git push' }] },
      });
      await backend.answer(id, { type: 'selected', optionId: 'accept' });
      await backend.answer(id, { type: 'selected', optionId: 'decline' });

      expect(await turn).toEqual({ reason: 'done' });
      expect(answers()).toEqual([{ decision: 'accept' }]);
      expect(blocks('tool_result')).toEqual([{ type: 'tool_result', tool_use_id: 'call_1', content: 'pushed' }]);
    });

    test.for([
      [{ type: 'selected', optionId: 'acceptForSession' }, 'acceptForSession'],
      [
        { type: 'selected', optionId: 'rule-2' },
        { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['git', 'push'] } },
      ],
      [{ type: 'selected', optionId: 'decline' }, 'decline'],
      [{ type: 'rejected' }, 'decline'],
      [{ type: 'cancelled' }, 'cancel'],
    ] as const)('an answer becomes the decision it stands for: %o', async ([reply, decision]) => {
      const { backend, run, asked, answers } = await startCodex();

      const turn = run(script);
      await backend.answer((await asked()).id, reply);
      await turn;

      expect(answers()).toEqual([{ decision }]);
    });

    test('words that come with a no reach the model in the same turn', async () => {
      const { backend, run, asked, blocks } = await startCodex();

      const turn = run([...script, { listen: true }]);
      await backend.answer((await asked()).id, { type: 'selected', optionId: 'decline', text: 'push to a branch' });
      await turn;

      expect(blocks('tool_result')).toMatchObject([{ content: 'It was not allowed to run.', is_error: true }]);
      expect(blocks('text')).toEqual([{ type: 'text', text: 'Also: push to a branch' }]);
    });

    test('only the decisions that it lists are offered, and a host is asked about as a host', async () => {
      const { backend, run, asked, answers } = await startCodex();
      const deny = {
        applyNetworkPolicyAmendment: { network_policy_amendment: { host: 'example.com', action: 'deny' } },
      };

      const turn = run([
        {
          ask: [
            'item/commandExecution/requestApproval',
            {
              itemId: 'call_1',
              networkApprovalContext: { host: 'example.com', protocol: 'https' },
              availableDecisions: ['accept', deny, 'cancel', { somethingNew: {} }],
            },
          ],
        },
      ]);
      const approval = await asked();
      expect(approval).toMatchObject({
        title: 'Connect to example.com',
        question: { tool: 'web-fetch', subjects: [{ kind: 'host', value: 'example.com' }] },
        options: [
          { id: 'accept', kind: 'allow_once' },
          { id: 'network-1', name: 'Never allow example.com', kind: 'reject_always' },
          { id: 'cancel', kind: 'reject_once' },
        ],
      });
      await backend.answer(approval.id, { type: 'selected', optionId: 'network-1' });
      await turn;
      expect(answers()).toEqual([{ decision: deny }]);
    });

    test('a change of files is asked about with its diffs', async () => {
      const { backend, run, asked, answers, cwd } = await startCodex();
      const changes = [
        { path: join(cwd, 'a.ts'), kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@\n-1\n+2\n' },
      ];

      const turn = run([
        { begin: { type: 'fileChange', id: 'f', changes, status: 'inProgress' } },
        { ask: ['item/fileChange/requestApproval', { itemId: 'f', reason: null, grantRoot: null }] },
        { complete: { type: 'fileChange', id: 'f', changes, status: 'completed' } },
      ]);
      const approval = await asked();
      expect(approval).toMatchObject({
        title: 'Edit a.ts',
        toolUseId: 'f',
        diffs: [{ path: 'a.ts', unified: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-1\n+2\n' }],
        question: { tool: 'edit', subjects: [{ kind: 'path', value: 'a.ts' }] },
      });
      await backend.answer(approval.id, { type: 'selected', optionId: 'accept' });
      await turn;
      expect(answers()).toEqual([{ decision: 'accept' }]);
    });

    test('more access is put to people and to no rule', async () => {
      const { backend, run, asked, answers } = await startCodex();
      const permissions = { fileSystem: { write: ['/shared'] } };
      const step: Step = {
        ask: ['item/permissions/requestApproval', { itemId: 'p', reason: 'To share', permissions }],
      };

      const turn = run([step, step]);
      const first = await asked();
      expect(first).toMatchObject({ title: 'Allow more access: write /shared', reason: 'To share' });
      expect(first.question).toBeUndefined();
      await backend.answer(first.id, { type: 'selected', optionId: 'session' });
      await backend.answer((await asked()).id, { type: 'rejected' });
      await turn;
      expect(answers()).toEqual([
        { permissions, scope: 'session' },
        { permissions: {}, scope: 'turn' },
      ]);
    });

    test('its questions are questions with answers, and a secret is not asked for', async () => {
      const { backend, run, asked, answers, blocks } = await startCodex();
      const options = [
        { label: 'Tabs', description: 'One each' },
        { label: 'Spaces', description: 'Two each' },
      ];
      const questions = [
        { id: 'a', header: 'Indent', question: 'Tabs or spaces?', isOther: true, isSecret: false, options },
        { id: 'b', header: 'Key', question: 'The key?', isOther: true, isSecret: true, options: null },
        { id: 'c', header: 'Name', question: 'Its name?', isOther: true, isSecret: false, options: null },
      ];

      const turn = run([{ ask: ['item/tool/requestUserInput', { itemId: 'q', questions, isBlocking: true }] }]);
      const first = await asked();
      expect(first).toEqual({
        id: first.id,
        title: 'Tabs or spaces?',
        reason: 'Tabs: One each\nSpaces: Two each',
        options: [
          { id: 'Tabs', name: 'Tabs', kind: 'answer' },
          { id: 'Spaces', name: 'Spaces', kind: 'answer' },
        ],
        allowsText: true,
      });
      await backend.answer(first.id, { type: 'selected', optionId: 'Spaces', text: 'two of them' });
      await backend.answer((await asked()).id, { type: 'selected', optionId: '', text: 'Ada' });
      await turn;

      expect(answers()).toEqual([
        {
          answers: {
            a: { answers: ['Spaces', 'user_note: two of them'] },
            b: { answers: [] },
            c: { answers: ['user_note: Ada'] },
          },
        },
      ]);
      expect(blocks('notice')).toMatchObject([
        { text: 'Codex asked for a secret, which is not answered here: The key?' },
      ]);
    });

    test('MCP servers get a yes, one field, or a no for a whole form', async () => {
      const { backend, run, asked, answers, blocks } = await startCodex();
      const elicit = (properties: object, more: object = {}): Step => ({
        ask: [
          'mcpServer/elicitation/request',
          {
            serverName: 'github',
            mode: 'form',
            message: 'May I?',
            requestedSchema: { type: 'object', properties },
            ...more,
          },
        ],
      });

      const turn = run([
        elicit({}, { _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['session'] } }),
        elicit({ color: { type: 'string', enum: ['red', 'blue'] } }),
        elicit({ a: { type: 'string' }, b: { type: 'string' } }),
        elicit({}, { mode: 'url', url: 'https://example.com/login' }),
      ]);
      await backend.answer((await asked()).id, { type: 'selected', optionId: 'session' });
      await backend.answer((await asked()).id, { type: 'selected', optionId: 'blue' });
      await backend.answer((await asked()).id, { type: 'selected', optionId: 'decline' });
      await turn;

      expect(answers()).toEqual([
        { action: 'accept', content: {}, _meta: { persist: 'session' } },
        { action: 'accept', content: { color: 'blue' } },
        { action: 'decline', content: null },
        { action: 'decline', content: null },
      ]);
      expect(blocks('notice')).toHaveLength(1);
    });

    test('a question whose call is over is withdrawn, and one that nobody knows is refused', async () => {
      const { run, events, answers } = await startCodex();

      await run([
        { begin: item },
        { ask: script[1]!.ask!, isForgotten: true },
        { complete: { ...item, status: 'declined' } },
        { ask: ['attestation/generate', {}] },
      ]);

      expect(events.filter(({ type }) => type.startsWith('approval-')).map(({ type }) => type)).toEqual([
        'approval-asked',
        'approval-withdrawn',
      ]);
      expect(answers()).toMatchObject([{ code: -32601 }]);
    });
  });

  describe('turns that end in other ways', () => {
    test('a turn that is called off ends as cancelled, its questions are withdrawn, and the same process goes on', async () => {
      const { backend, run, prompt, asked, events, heard } = await startCodex();

      const turn = run([
        { begin: command('c', 'x') },
        { ask: ['item/commandExecution/requestApproval', { itemId: 'c', command: 'x' }] },
        { hang: true },
      ]);
      const { id } = await asked();
      await backend.cancel();

      expect(await turn).toEqual({ reason: 'cancelled' });
      expect(events).toContainEqual({ type: 'approval-withdrawn', approvalId: id });
      expect(heard('turn/interrupt')).toHaveLength(1);
      expect(await prompt('again')).toEqual({ reason: 'done' });
      expect(heard().filter((line) => 'argv' in line)).toHaveLength(1);
    });

    test('one that is called off before it has a name is called off all the same', async () => {
      const { backend, run } = await startCodex();

      const turn = run([{ hang: true }]);
      await backend.cancel();

      expect(await turn).toEqual({ reason: 'cancelled' });
    });

    test('one that does not heed it is ended, and the next prompt goes on with the conversation', async () => {
      const { backend, run, prompt, until, blocks } = await startCodex({ cancelLimitMs: 50 });

      await prompt('first');
      const turn = run([say('Begun.'), { deaf: true }]);
      await until('block-stop', ({ block }) => block.type === 'text' && block.text === 'Begun.');
      await backend.cancel();

      expect(await turn).toEqual({ reason: 'cancelled' });
      expect(await prompt('second')).toEqual({ reason: 'done' });
      expect(blocks('text').at(-1)!.text).toContain('before: ["first",');
    });

    test('a crash in the middle fails the turn with its last words, and the next prompt starts it again', async () => {
      const { run, prompt, blocks, heard } = await startCodex();

      const end = await run([say('Begun.'), { begin: command('c', 'x') }, { stderr: 'panicked\n', exit: 101 }]);

      expect(end).toMatchObject({ reason: 'failed', error: { code: 'unavailable' } });
      expect(end.error!.message).toMatch(/^Codex .* exited with code 101: panicked$/);
      expect(await prompt('again')).toEqual({ reason: 'done' });
      expect(blocks('text').at(-1)!.text).toMatch(/^You said "again", and before: \["/);
      expect(heard('thread/resume')).toMatchObject([{ excludeTurns: true }]);
    });

    test('lines that are no messages, and items and news that nobody knows, are passed over', async () => {
      const { run, messages } = await startCodex();

      const end = await run([
        { raw: 'Warning: something' },
        { raw: '[]' },
        { raw: '{"id":99999,"result":{}}' },
        { item: { type: 'hologram', id: 'h' } },
        { complete: { type: 'agentMessage' } },
        { notify: ['thread/realtime/started', { realtimeSessionId: 'x' }] },
        { notify: ['item/commandExecution/outputDelta', { itemId: 'nothing', delta: 'x' }] },
        say('Fine.'),
      ]);

      expect(end).toEqual({ reason: 'done' });
      expect(messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] }]);
    });

    test.for([
      ['unauthorized', 'failed', 'unauthenticated'],
      ['usageLimitExceeded', 'failed', 'rate-limited'],
      ['contextWindowExceeded', 'limit', 'context-overflow'],
      ['cyberPolicy', 'refused', 'unavailable'],
      [{ responseStreamDisconnected: { httpStatusCode: 502 } }, 'failed', 'unavailable'],
      [null, 'failed', 'unavailable'],
    ] as const)('a turn that failed with %o tells why', async ([codexErrorInfo, reason, code]) => {
      const { run, blocks } = await startCodex();
      const error = { message: 'It is so.', codexErrorInfo, additionalDetails: 'really' };

      const end = await run([{ notify: ['error', { error, willRetry: false }] }, { end: { status: 'failed', error } }]);

      expect(end).toMatchObject({ reason, error: { code } });
      expect(end.error!.message).toContain('It is so.: really');
      expect(blocks('error')).toHaveLength(reason === 'failed' ? 1 : 0);
      expect(end.error!.fix).toBe(code === 'unauthenticated' ? CODEX_PRESET.login : undefined);
    });

    test('a login that is missing is told when the session starts, with the command that helps', async () => {
      const tested = testCodex({ offer: { account: null } });

      await expect(tested.backend.start(tested.session)).rejects.toMatchObject({
        code: 'unauthenticated',
        message: expect.stringContaining('Codex wants a login; log in on that machine with: `codex login`'),
        fix: CODEX_PRESET.login,
      });
    });
  });

  describe('conversations', () => {
    test('more can be said while a turn runs, and what comes too late is for the next one', async () => {
      const { backend, run, blocks, until } = await startCodex();
      const more = { id: 'p2', content: [{ type: 'text', text: 'In French!' } as const] };

      const turn = run([say('One, two.'), { listen: true }]);
      await until('block-stop', ({ block }) => block.type === 'text');
      expect(await backend.steer(more)).toBe(true);
      expect(await turn).toEqual({ reason: 'done' });

      expect(await backend.steer(more)).toBe(false);
      expect(blocks('text').map(({ text }) => text)).toEqual(['One, two.', 'Also: In French!']);
    });

    test('one of earlier goes on without counting what it took before, and a fork knows it but has an id of its own', async () => {
      const first = await startCodex();
      await first.prompt('Remember me.');
      const { agentSessionId } = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);
      const tokenUsage = { total: { inputTokens: 100, outputTokens: 10 }, last: { inputTokens: 5, outputTokens: 1 } };

      const resumed = testCodex({ state: first.state, offer: { tokenUsage } });
      await resumed.backend.resume(resumed.session, agentSessionId!);
      await resumed.prompt('Go on.');
      const now = { total: { inputTokens: 130, outputTokens: 13 }, last: { inputTokens: 15, outputTokens: 2 } };
      await resumed.run([
        { item: command('call_1', 'ls') },
        { notify: ['thread/tokenUsage/updated', { tokenUsage: now }] },
      ]);
      const forked = testCodex({ state: first.state });
      await forked.backend.fork(forked.session, agentSessionId!);
      await forked.prompt('Elsewhere.');

      expect(resumed.blocks('text')[0]!.text).toBe('You said "Go on.", and before: ["Remember me."]');
      expect(resumed.blocks('usage')).toEqual([{ type: 'usage', input_tokens: 30, output_tokens: 3 }]);
      // A short id may stand in the session already.
      expect(resumed.blocks('tool_use')[0]!.id).not.toBe('call_1');
      expect(forked.blocks('text')[0]!.text).toContain('and before: ["Remember me.","Go on.",');
      const told = await forked.until('agent-updated', (event) => event.agentSessionId !== undefined);
      expect(told.agentSessionId).not.toBe(agentSessionId);
    });

    test('one that it does not know any more is not found, and a fork in the middle is refused', async () => {
      const tested = testCodex();

      await expect(tested.backend.resume(tested.session, 'gone')).rejects.toMatchObject({ code: 'not-found' });
      await expect(tested.backend.fork(tested.session, 'x', 'msg_1')).rejects.toMatchObject({ code: 'bad-request' });
      await tested.backend.start(tested.session);
      expect(await tested.prompt('hi')).toEqual({ reason: 'done' });
    });

    test('the model and the mode are given when it starts, and changed with the next turn', async () => {
      const options = { effort: 'high', config: { web_search: 'live' }, sandbox: 'read-only' };
      const { backend, prompt, heard, cwd, events } = await startCodex({
        setup: { model: 'gpt-a', mode: 'full-access', options },
      });

      await backend.setModel('gpt-b');
      await backend.setMode('read-only');
      await expect(backend.setMode('yolo')).rejects.toMatchObject({
        code: 'bad-request',
        message: 'Codex has no mode "yolo"; it has: read-only, auto, full-access',
      });
      await prompt('one');
      await prompt('two');

      expect(heard('thread/start')).toEqual([
        { cwd, model: 'gpt-a', approvalPolicy: 'never', sandbox: 'danger-full-access', config: { web_search: 'live' } },
      ]);
      const [one, two] = heard('turn/start');
      const sandboxPolicy = { type: 'readOnly', networkAccess: false };
      expect(one).toMatchObject({ effort: 'high', model: 'gpt-b', approvalPolicy: 'on-request', sandboxPolicy });
      expect(two).not.toHaveProperty('model');
      const told = events.flatMap((event) => (event.type === 'agent-updated' ? [event.model ?? event.mode] : []));
      expect(told).toEqual(['gpt-a', 'gpt-b', 'read-only']);
    });

    test('pictures and files go with a prompt, and what cannot go is refused', async () => {
      const { prompt, heard, backend } = await startCodex();
      const text = (words: string) => ({ type: 'text', text: words, text_elements: [] });

      await prompt([
        { type: 'text', text: 'See:' },
        { type: 'image', media_type: 'image/png', data: 'aGk=' },
        { type: 'file', name: 'a.txt', data: Buffer.from('hello').toString('base64') },
        { type: 'file', name: 'b.png', media_type: 'image/png', uri: 'file:///project/b.png' },
        { type: 'file', name: 'c.ts', uri: 'file:///project/c.ts' },
      ]);

      expect(heard('turn/start')[0]!['input']).toEqual([
        text('See:'),
        { type: 'image', url: 'data:image/png;base64,aGk=' },
        text('The file a.txt:\n\nhello'),
        { type: 'localImage', path: '/project/b.png' },
        text('The file c.ts is at /project/c.ts'),
      ]);
      const odd = [{ type: 'file', name: 'x.bin', data: '/////w==' } as const];
      await expect(backend.prompt({ id: 'p', content: odd })).rejects.toMatchObject({ code: 'unsupported-media' });
    });

    test('a command that is not there is told with how to install it', async () => {
      const setup = { command: ['no-such-codex', 'app-server'] };
      const tested = testCodex({ setup });

      await expect(tested.backend.start(tested.session)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('install it with: npm install -g @openai/codex'),
      });
      expect(await probeCodex({ ...setup, env: {}, options: {} } as never)).toMatchObject({
        fix: CODEX_PRESET.install,
      });
    });
  });

  // Codex has no results without calls, and no steps of a plan that were given up.
  const except = ['failed-turn', 'interrupted-turn', 'image-and-file', 'unknown-tool-result', 'plan-moves-on'];
  test.for(goldenSessions(except))(
    'the golden session $name comes through it as it should [UAP-18, UAP-22]',
    async ({ moves, expected }) => {
      const { backend, run, asked, messages } = await startCodex();

      const turn = run(toSteps(moves));
      for (const move of moves) {
        if (move.type !== 'ask') continue;
        const approval = await asked();
        const reply = goldenReply(move, approval);
        if (reply !== undefined) await backend.answer(approval.id, reply);
      }
      expect(await turn).toEqual({ reason: 'done' });

      const blocks = messages().flatMap(({ role, content }) => content.map((block) => ({ role, block })));
      expect(protocolBlocks(blocks)).toEqual(expected);
    },
  );

  test('its configuration is strict', () => {
    expect(codexConfigSchema.parse({ sandbox: 'read-only', effort: 'low' })).toEqual({
      sandbox: 'read-only',
      effort: 'low',
    });
    expect(codexConfigSchema.safeParse({ sandbox: 'none' }).success).toBe(false);
    expect(codexConfigSchema.safeParse({ sandboxes: 'read-only' }).success).toBe(false);
  });
});
