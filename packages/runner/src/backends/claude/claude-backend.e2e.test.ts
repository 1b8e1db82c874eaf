import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { goldenReply, goldenSessions, protocolBlocks } from '../../backend/golden-moves.fixture.ts';
import { CLAUDE_PRESET, probeClaude } from './claude-agent.ts';
import { claudeConfigSchema } from './claude-config.ts';
import { result, say, startClaude, testClaude, use } from './claude.fixture.ts';
import type { Step } from './fake-claude.fixture.ts';
import { toSteps } from './golden-steps.fixture.ts';

// The real program needs an account. These run a stand-in for it as a process, with the messages that its SDK documents.
describe('Claude Code (a stand-in; the real program needs an account)', () => {
  test('what it thinks and says is blocks that can be read while they are written, and told once [UAP-17, UAP-18, UAP-20]', async () => {
    const { backend, run, events, messages, until } = await startClaude();

    const turn = run([
      {
        message: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
          { type: 'text', text: 'Hello you.' },
        ],
      },
      { hang: true },
    ]);
    await until('block-stop', ({ block }) => block.type === 'text');

    expect(events.filter(({ type }) => type.startsWith('block-'))).toMatchObject([
      { type: 'block-start', role: 'assistant', block: { type: 'thinking', thinking: '' } },
      { type: 'block-delta', delta: 'Let ' },
      { type: 'block-delta', delta: 'me ' },
      { type: 'block-delta', delta: 'see.' },
      { type: 'block-stop', block: { type: 'thinking', thinking: 'Let me see.' } },
      { type: 'block-start', role: 'assistant', block: { type: 'text', text: '' } },
      { type: 'block-delta', delta: 'Hello ' },
      { type: 'block-delta', delta: 'you.' },
      { type: 'block-stop', block: { type: 'text', text: 'Hello you.' } },
    ]);
    await backend.cancel();
    expect(await turn).toEqual({ reason: 'cancelled' });
    expect(messages().filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });

  test('an answer that was not streamed is told all the same, and each message is one of its own', async () => {
    const { run, messages } = await startClaude();

    await run([
      { ...say('One.'), isWhole: true },
      say('Two.'),
      {
        message: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'AB' },
        ],
      },
    ]);

    expect(messages().slice(0, 3)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'One.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'AB' },
        ],
      },
    ]);
  });

  test('a session tells its id, models, modes and commands, and each turn what it took', async () => {
    const { run, events, blocks } = await startClaude();
    expect(events).toEqual([
      {
        type: 'agent-updated',
        commands: [{ name: 'compact', description: 'Sums the conversation up' }],
        models: [
          { id: 'default', name: 'Default', description: 'What is recommended' },
          { id: 'opus', name: 'Opus', description: 'For hard work' },
        ],
        modes: expect.arrayContaining([expect.objectContaining({ id: 'plan' })]),
        capabilities: {
          resume: true,
          fork: true,
          approvals: true,
          images: true,
          files: true,
          models: true,
          modes: true,
        },
      },
    ]);

    await run([say('One.')]);
    await run([say('Two.')]);

    expect(events.filter(({ type }) => type === 'agent-updated').slice(1)).toEqual([
      { type: 'agent-updated', agentSessionId: expect.any(String) },
      { type: 'agent-updated', model: 'claude-test-1' },
      { type: 'agent-updated', mode: 'default' },
    ]);
    const took = { input_tokens: 40, output_tokens: 5, cache_read_tokens: 30, context_used: 45, context_size: 200_000 };
    expect(blocks('usage')).toEqual([
      { type: 'usage', ...took, cost_usd: 0.25 },
      { type: 'usage', ...took, cost_usd: 0.25 },
    ]);
  });

  test('a call is told when it is first seen, with its input as it is written, and then with its result', async () => {
    const { run, events, messages } = await startClaude();

    await run([
      use('toolu_1', 'Bash', { command: 'npm test', description: 'Runs the tests' }),
      result('toolu_1', 'ok'),
      say('Fine.'),
    ]);

    expect(events.filter(({ type }) => type.startsWith('block-')).slice(0, 5)).toMatchObject([
      { type: 'block-start', role: 'assistant', block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} } },
      { type: 'block-delta', delta: '{"command":"npm test","desc' },
      { type: 'block-delta', delta: 'ription":"Runs the tests"}' },
      {
        type: 'block-stop',
        block: {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'Bash',
          kind: 'execute',
          title: 'npm test',
          input: { command: 'npm test', description: 'Runs the tests' },
        },
      },
      { type: 'block-stop', role: 'user', block: { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' } },
    ]);
    expect(messages().map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'agent']);
  });

  test('results may be lists with pictures, and errors are errors', async () => {
    const { run, blocks } = await startClaude();
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };

    await run([
      use('a', 'mcp__shots__take', {}),
      result('a', [{ type: 'text', text: 'A picture' }, image, { type: 'tool_reference', name: 'x' }]),
      use('b', 'Read', { file_path: 'none.txt' }),
      result('b', '<tool_use_error>File does not exist.</tool_use_error>', { is_error: true }),
      result('never-called', 'still shown'),
    ]);

    expect(blocks('tool_result')).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: 'A picture',
        attachments: [{ type: 'image', media_type: 'image/png', data: 'aGk=' }],
      },
      { type: 'tool_result', tool_use_id: 'b', content: 'File does not exist.', is_error: true },
      { type: 'tool_result', tool_use_id: 'never-called', content: 'still shown' },
    ]);
    expect(blocks('tool_use')).toMatchObject([
      { name: 'mcp__shots__take', title: 'shots: take' },
      { name: 'Read', kind: 'read', title: 'Read none.txt', locations: [{ path: 'none.txt' }] },
    ]);
  });

  test('calls of a task are told as part of it, and what it says is left to its result', async () => {
    const { run, blocks } = await startClaude();

    await run([
      use('task', 'Task', { description: 'Find the door', subagent_type: 'Explore', prompt: 'Where is it?' }),
      { ...say('I look for it.'), parent: 'task' },
      use('inner', 'Grep', { pattern: 'door' }, 'task'),
      { ...result('inner', 'door.ts:1'), parent: 'task' },
      result('task', [{ type: 'text', text: 'In door.ts.' }]),
      say('In door.ts.'),
    ]);

    expect(blocks('tool_use')).toMatchObject([
      { id: 'task', name: 'Task', kind: 'task', title: 'Find the door' },
      { id: 'inner', name: 'Grep', kind: 'search', parent_tool_use_id: 'task' },
    ]);
    expect(blocks('text')).toEqual([{ type: 'text', text: 'In door.ts.' }]);
    expect(blocks('tool_result').map(({ tool_use_id }) => tool_use_id)).toEqual(['inner', 'task']);
  });

  test('the plan is shown as a plan, whether it is told whole or task by task', async () => {
    const { run, blocks } = await startClaude();

    await run([
      use('t1', 'TodoWrite', { todos: [{ content: 'Read', status: 'in_progress', activeForm: 'Reading' }] }),
      result('t1', 'Todos have been modified'),
    ]);
    await run([
      use('t2', 'TaskCreate', { subject: 'Write', description: 'Write it', activeForm: 'Writing' }),
      result('t2', 'Task #1 created successfully: Write'),
      use('t3', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      result('t3', 'Updated task #1 status'),
    ]);

    expect(blocks('plan')).toEqual([
      { type: 'plan', entries: [{ content: 'Read', status: 'in_progress' }] },
      { type: 'plan', entries: [{ content: 'Write', status: 'completed' }] },
    ]);
    expect(blocks('tool_use')).toEqual([]);
    expect(blocks('tool_result')).toEqual([]);
  });

  describe('questions', () => {
    const SUGGESTED = {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'rm:*' }],
      behavior: 'allow',
      destination: 'localSettings',
    };
    const script: Step[] = [
      use('toolu_1', 'Bash', { command: 'rm -r build' }),
      {
        ask: {
          tool_name: 'Bash',
          input: { command: 'rm -r build' },
          tool_use_id: 'toolu_1',
          permission_suggestions: [SUGGESTED],
          decision_reason: 'It removes files.',
        },
        onYes: [result('toolu_1', 'removed')],
      },
    ];

    test('a call that needs a yes is asked about, with what its rules would be asked and what it suggests to remember', async () => {
      const { backend, run, asked, blocks, heard } = await startClaude();

      const turn = run(script);
      const { id, ...approval } = await asked();
      expect(approval).toEqual({
        title: 'Bash: rm -r build',
        toolUseId: 'toolu_1',
        call: { name: 'Bash', input: { command: 'rm -r build' } },
        reason: 'It removes files.',
        allowsText: true,
        options: [
          { id: 'once', name: 'Allow once', kind: 'allow_once' },
          { id: 'always', name: 'Always allow: Bash(rm:*)', kind: 'allow_always' },
          { id: 'no', name: 'Deny', kind: 'reject_once' },
        ],
        question: { tool: 'bash', subjects: [{ kind: 'command', value: 'rm -r build' }] },
      });
      await backend.answer(id, { type: 'selected', optionId: 'once' });
      await backend.answer(id, { type: 'selected', optionId: 'no' });

      expect(await turn).toEqual({ reason: 'done' });
      expect(blocks('tool_result')).toEqual([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'removed' }]);
      expect(heard().filter((line) => 'answered' in line)).toMatchObject([
        { answered: { response: { behavior: 'allow', updatedInput: { command: 'rm -r build' } } } },
      ]);
    });

    test('"always" hands what it suggested back', async () => {
      const { backend, run, asked, heard } = await startClaude();

      const turn = run(script);
      await backend.answer((await asked()).id, { type: 'selected', optionId: 'always' });
      await turn;

      expect(heard().findLast((line) => 'answered' in line)).toMatchObject({
        answered: { response: { behavior: 'allow', updatedPermissions: [SUGGESTED] } },
      });
    });

    test.for([
      [{ type: 'selected', optionId: 'no', text: 'use git clean' }, 'The user refused this call: use git clean'],
      [{ type: 'selected', optionId: '', text: 'use git clean' }, 'The user refused this call: use git clean'],
      [{ type: 'rejected', feedback: 'a rule says so' }, 'The user refused this call: a rule says so'],
      [{ type: 'rejected' }, 'The user refused this call.'],
    ] as const)('a no is told to the model with its words: %o', async ([reply, message]) => {
      const { backend, run, asked, blocks } = await startClaude();

      const turn = run(script);
      await backend.answer((await asked()).id, reply);

      expect(await turn).toEqual({ reason: 'done' });
      expect(blocks('tool_result')).toEqual([
        { type: 'tool_result', tool_use_id: 'toolu_1', content: message, is_error: true },
      ]);
    });

    test('an edit is asked about with the change to the file as it is, and its result has the change that was made', async () => {
      const cwd = tempFolder();
      writeFileSync(join(cwd, 'a.txt'), 'zero\none\ntwo\n');
      const { backend, run, asked, blocks } = await startClaude({ cwd });
      const input = { file_path: join(cwd, 'a.txt'), old_string: 'one', new_string: '1' };
      const structuredPatch = [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' zero', '-one', '+1', ' two'] },
      ];

      const turn = run([
        use('e', 'Edit', input),
        {
          ask: { tool_name: 'Edit', input, tool_use_id: 'e', title: 'Claude wants to edit a.txt' },
          onYes: [result('e', 'The file was updated.', { details: { filePath: input.file_path, structuredPatch } })],
        },
        use('w', 'Write', { file_path: 'new.md', content: '# New\n' }),
        result('w', 'Created.', {
          details: { type: 'create', filePath: join(cwd, 'new.md'), content: '# New\n', structuredPatch: [] },
        }),
      ]);
      const approval = await asked();
      await backend.answer(approval.id, { type: 'selected', optionId: 'once' });
      await turn;

      const unified = '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n zero\n-one\n+1\n two\n';
      expect(approval).toMatchObject({
        title: 'Claude wants to edit a.txt',
        diffs: [{ path: 'a.txt', unified }],
        question: { tool: 'edit', subjects: [{ kind: 'path', value: 'a.txt' }] },
      });
      expect(blocks('tool_result')).toMatchObject([
        { tool_use_id: 'e', diffs: [{ path: 'a.txt', unified }] },
        {
          tool_use_id: 'w',
          diffs: [{ path: 'new.md', unified: '--- /dev/null\n+++ new.md\n@@ -0,0 +1,1 @@\n+# New\n' }],
        },
      ]);
    });

    test('its questions to people are questions with answers, one after the other', async () => {
      const { backend, run, asked, heard, blocks } = await startClaude();
      const questions = [
        {
          question: 'Tabs or spaces?',
          header: 'Indent',
          multiSelect: false,
          options: [
            { label: 'Tabs', description: 'One each' },
            { label: 'Spaces', description: 'Two each' },
          ],
        },
        { question: 'Which ones?', header: 'Parts', multiSelect: true, options: [{ label: 'A' }, { label: 'B' }] },
      ];

      const turn = run([
        use('q', 'AskUserQuestion', { questions }),
        {
          ask: { tool_name: 'AskUserQuestion', input: { questions }, tool_use_id: 'q' },
          onYes: [result('q', 'answered')],
        },
      ]);
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
      const second = await asked();
      expect(second.reason).toBe('More than one may be meant: write them with commas between.');
      await backend.answer(second.id, { type: 'selected', optionId: '', text: 'A, B' });
      await turn;

      expect(heard().findLast((line) => 'answered' in line)).toMatchObject({
        answered: {
          response: {
            behavior: 'allow',
            updatedInput: { questions, answers: { 'Tabs or spaces?': 'Spaces (two of them)', 'Which ones?': 'A, B' } },
          },
        },
      });
      expect(blocks('tool_use')).toEqual([]);
    });

    test('a plan is put to people and to no rule; accepted with edits, it changes the mode', async () => {
      const { backend, run, asked, heard, until } = await startClaude({ setup: { mode: 'plan' } });

      const turn = run([
        use('p', 'ExitPlanMode', { plan: '1. Read\n2. Write' }),
        {
          ask: { tool_name: 'ExitPlanMode', input: { plan: '1. Read\n2. Write' }, tool_use_id: 'p' },
          onYes: [result('p', 'Go.')],
        },
        { told: { type: 'system', subtype: 'status', status: null, permissionMode: 'acceptEdits' } },
      ]);
      const approval = await asked();
      expect(approval).toMatchObject({ title: 'Carry out this plan?', reason: '1. Read\n2. Write' });
      expect(approval.question).toBeUndefined();
      await backend.answer(approval.id, { type: 'selected', optionId: 'edits' });
      await turn;

      expect(heard().findLast((line) => 'answered' in line)).toMatchObject({
        answered: {
          response: { updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
        },
      });
      await until('agent-updated', ({ mode }) => mode === 'acceptEdits');
    });

    test('a question that it takes back, or whose call is over, is withdrawn', async () => {
      const { run, events } = await startClaude();

      await run([{ ...script[1]!, withdraw: {} }, say('Never mind.')]);

      expect(events.filter(({ type }) => type.startsWith('approval-')).map(({ type }) => type)).toEqual([
        'approval-asked',
        'approval-withdrawn',
      ]);
    });

    test('a request that nobody here knows is refused, and the turn goes on', async () => {
      const { run, heard, blocks } = await startClaude();

      await run([{ ask: { subtype: 'elicitation', message: 'Your name?', tool_use_id: 'x' } }, say('On.')]);

      expect(heard().findLast((line) => 'answered' in line)).toMatchObject({
        answered: { subtype: 'error', error: 'there is nobody here to answer elicitation' },
      });
      expect(blocks('text')).toEqual([{ type: 'text', text: 'On.' }]);
    });
  });

  describe('turns that end in other ways', () => {
    test('a turn that is called off ends as cancelled, its questions are withdrawn, and the same process goes on', async () => {
      const { backend, run, prompt, asked, events, heard, blocks } = await startClaude();

      const turn = run([
        use('a', 'Bash', { command: 'x' }),
        { ask: { tool_name: 'Bash', input: {}, tool_use_id: 'a' } },
        { hang: true },
      ]);
      const { id } = await asked();
      await backend.cancel();

      expect(await turn).toEqual({ reason: 'cancelled' });
      expect(events).toContainEqual({ type: 'approval-withdrawn', approvalId: id });
      expect(heard()).toContainEqual({ control: { subtype: 'interrupt' } });
      expect(blocks('error')).toEqual([]);
      expect(await prompt('again')).toEqual({ reason: 'done' });
      expect(heard().filter((line) => 'argv' in line)).toHaveLength(1);
    });

    test('one that does not heed it is ended, and the next prompt goes on with the conversation', async () => {
      const { backend, run, prompt, until, blocks } = await startClaude({ cancelLimitMs: 50 });

      await prompt('first');
      const turn = run([say('Begun.'), { deaf: true }]);
      await until('block-stop', ({ block }) => block.type === 'text' && block.text === 'Begun.');
      await backend.cancel();

      expect(await turn).toEqual({ reason: 'cancelled' });
      expect(await prompt('second')).toEqual({ reason: 'done' });
      expect(blocks('text').at(-1)!.text).toContain('before: ["first",');
    });

    test('a crash in the middle fails the turn with its last words, and the next prompt starts it again', async () => {
      const { run, prompt, messages, blocks, heard } = await startClaude();

      const end = await run([
        say('Begun.'),
        use('a', 'Bash', { command: 'x' }),
        { stderr: 'out of memory\n', exit: 3 },
      ]);

      expect(end).toMatchObject({ reason: 'failed', error: { code: 'unavailable' } });
      expect(end.error!.message).toMatch(/^Claude Code .* exited with code 3: out of memory$/);
      expect(messages().map(({ role }) => role)).toEqual(['assistant', 'assistant']);
      expect(await prompt('again')).toEqual({ reason: 'done' });
      expect(blocks('text').at(-1)!.text).toMatch(/^You said "again", and before: \["/);
      expect(heard().filter((line) => 'argv' in line)).toMatchObject([
        {},
        { argv: expect.arrayContaining(['--resume']) },
      ]);
    });

    test('lines that are no messages and messages that nobody knows are passed over', async () => {
      const { run, messages } = await startClaude();

      const end = await run([
        { raw: 'Warning: something' },
        { raw: '{"type":"assistant"}' },
        { raw: '[1,2]' },
        { told: { type: 'hologram', message: 'x' } },
        { told: { type: 'stream_event', event: { type: 'content_block_delta', index: 9, delta: { text: 'lost' } } } },
        { told: { type: 'user', message: { content: 'a text' } } },
        { told: { type: 'control_response', response: { request_id: 'nothing' } } },
        say('Fine.'),
      ]);

      expect(end).toEqual({ reason: 'done' });
      expect(messages()[0]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] });
    });

    test('the limit of model calls is a limit, not a failure', async () => {
      const { run } = await startClaude({ setup: { options: { maxTurns: 3 } } });

      expect(await run([{ end: { subtype: 'error_max_turns', is_error: true } }])).toMatchObject({
        reason: 'limit',
        error: { code: 'limit' },
      });
    });

    test.for([
      { told: apiError('authentication_failed', 'Not logged in · Please run /login') },
      { told: apiError(undefined, 'Invalid API key · Please run /login') },
    ])('a login that is missing is told with the command that helps', async ({ told }) => {
      const { run, blocks } = await startClaude();

      const end = await run([{ told }, { end: { is_error: true, result: 'Please run /login' } }]);

      expect(end).toMatchObject({ reason: 'failed', error: { code: 'unauthenticated', fix: CLAUDE_PRESET.login } });
      expect(end.error!.message).toContain('log in on that machine with: `claude auth login`');
      expect(blocks('error')).toMatchObject([{ code: 'unauthenticated', fix: CLAUDE_PRESET.login }]);
      expect(blocks('text')).toEqual([]);
    });

    test('an error of the provider and a limit of the account are shown as such', async () => {
      const { run, blocks } = await startClaude();
      const info = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_800_000_000 };

      const end = await run([
        { told: { type: 'rate_limit_event', rate_limit_info: info } },
        { told: { type: 'rate_limit_event', rate_limit_info: info } },
        { told: apiError('rate_limit', 'API Error: Rate limit reached') },
        { end: { is_error: true, api_error_status: 429, result: 'API Error: Rate limit reached' } },
      ]);

      const message = 'Claude Code: API Error: Rate limit reached';
      expect(end).toEqual({ reason: 'failed', error: { code: 'rate-limited', message } });
      expect(blocks('error')).toEqual([{ type: 'error', code: 'rate-limited', message }]);
      expect(blocks('notice')).toEqual([
        {
          type: 'notice',
          level: 'warning',
          text: 'The five hour limit of this account is reached. It is lifted at 2027-01-15T08:00:00.000Z.',
        },
      ]);
      expect(blocks('text')).toEqual([]);
    });

    test('a command that is answered without the model shows its answer', async () => {
      const { run, blocks } = await startClaude();

      await run([{ end: { result: 'Context: 12 %' } }]);

      expect(blocks('text')).toEqual([{ type: 'text', text: 'Context: 12 %' }]);
    });

    test('a turn that it began by itself does not end the one that was asked for', async () => {
      const { run, blocks } = await startClaude();
      const own = { type: 'result', subtype: 'success', is_error: false, origin: { kind: 'task-notification' } };

      expect(await run([say('The server is up.'), { told: own }, say('Now the rest.')])).toEqual({ reason: 'done' });

      expect(blocks('text').map(({ text }) => text)).toEqual(['The server is up.', 'Now the rest.']);
    });
  });

  describe('conversations', () => {
    test('one of earlier goes on, and a fork knows it but has an id of its own', async () => {
      const first = await startClaude();
      await first.prompt('Remember me.');
      const { agentSessionId } = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);

      const resumed = testClaude({ state: first.state });
      await resumed.backend.resume(resumed.session, agentSessionId!);
      await resumed.prompt('Go on.');
      const forked = testClaude({ state: first.state });
      await forked.backend.fork(forked.session, agentSessionId!);
      await forked.prompt('Elsewhere.');

      expect(resumed.blocks('text')).toEqual([
        { type: 'text', text: 'You said "Go on.", and before: ["Remember me."]' },
      ]);
      expect(resumed.blocks('usage')[0]).not.toHaveProperty('cost_usd');
      expect(resumed.events.filter((event) => 'agentSessionId' in event)).toEqual([]);
      expect(forked.blocks('text')[0]!.text).toBe('You said "Elsewhere.", and before: ["Remember me.","Go on."]');
      const told = await forked.until('agent-updated', (event) => event.agentSessionId !== undefined);
      expect(told.agentSessionId).not.toBe(agentSessionId);
    });

    test('one that it does not know any more is not found', async () => {
      const tested = testClaude();

      await expect(tested.backend.resume(tested.session, 'gone')).rejects.toMatchObject({
        code: 'not-found',
        message: 'Claude Code does not know the conversation gone any more; start a new one',
      });
      expect(tested.messages()).toEqual([]);
      await tested.backend.start(tested.session);
      expect(await tested.prompt('hi')).toEqual({ reason: 'done' });
    });

    test('a fork in the middle is refused', async () => {
      const tested = testClaude();

      await expect(tested.backend.fork(tested.session, 'x', 'msg_1')).rejects.toMatchObject({ code: 'bad-request' });
    });

    test('the model and the mode are given when it starts and changed while it runs; what it refuses stays as it was', async () => {
      const { backend, prompt, heard, events } = await startClaude({ setup: { model: 'opus', mode: 'plan' } });

      await backend.setModel('sonnet');
      await backend.setMode('acceptEdits');
      await expect(backend.setModel('gone')).rejects.toMatchObject({
        code: 'bad-request',
        message: 'Claude Code refused the model "gone": there is no model "gone"',
      });
      await prompt('hi');

      expect(heard()[0]).toEqual({
        argv: [
          ...'-p --input-format stream-json --output-format stream-json --include-partial-messages --verbose'.split(
            ' ',
          ),
          ...'--permission-prompt-tool stdio --model opus --permission-mode plan'.split(' '),
        ],
      });
      const told = events.flatMap((event) => (event.type === 'agent-updated' ? (event.model ?? event.mode ?? []) : []));
      expect(told).toEqual(['opus', 'plan', 'sonnet', 'acceptEdits']);
    });

    test('never to ask is a mode that it is started again with, between turns', async () => {
      const { backend, prompt, run, heard, until } = await startClaude();
      await prompt('first');

      await backend.setMode('bypassPermissions');
      await prompt('second');

      const argv = heard().findLast((line) => 'argv' in line)!['argv'] as string[];
      expect(argv.slice(-4)).toEqual(['--permission-mode', 'bypassPermissions', '--resume', expect.any(String)]);
      await backend.setMode('default');
      const turn = run([say('Busy.'), { hang: true }]);
      await until('block-stop', ({ block }) => block.type === 'text' && block.text === 'Busy.');
      await expect(backend.setMode('bypassPermissions')).rejects.toMatchObject({ code: 'conflict' });
      await backend.cancel();
      await turn;
    });

    test('pictures and files go with a prompt, and what cannot go is refused', async () => {
      const { prompt, heard, backend } = await startClaude();
      const base64 = (text: string) => Buffer.from(text).toString('base64');

      await prompt([
        { type: 'text', text: 'See:' },
        { type: 'image', media_type: 'image/png', data: 'aGk=' },
        { type: 'file', name: 'a.txt', data: base64('hello') },
        { type: 'file', name: 'b.pdf', media_type: 'application/pdf', data: 'cGRm' },
        { type: 'file', name: 'c.ts', uri: 'file:///project/c.ts' },
      ]);

      expect(heard().findLast((line) => 'prompt' in line)).toEqual({
        prompt: [
          { type: 'text', text: 'See:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'text', text: 'The file a.txt:\n\nhello' },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' } },
          { type: 'text', text: 'The file c.ts is at /project/c.ts' },
        ],
      });
      const odd = [{ type: 'file', name: 'x.bin', data: '/////w==' } as const];
      await expect(backend.prompt({ id: 'p', content: odd })).rejects.toMatchObject({ code: 'unsupported-media' });
    });

    test('a command that is not there is told with how to install it', async () => {
      const setup = { command: ['no-such-claude'] };
      const tested = testClaude({ setup });

      await expect(tested.backend.start(tested.session)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('install it with: npm install -g @anthropic-ai/claude-code'),
      });
      const fault = { code: 'unavailable', fix: CLAUDE_PRESET.install };
      expect(await probeClaude({ ...setup, env: {}, options: {} } as never)).toMatchObject(fault);
      expect(await probeClaude({ command: [process.execPath], env: {}, options: {} } as never)).toBeUndefined();
    });
  });

  test.for(goldenSessions(['failed-turn', 'interrupted-turn', 'image-and-file']))(
    'the golden session $name comes through it as it should [UAP-18, UAP-20]',
    async ({ moves, expected }) => {
      const { backend, run, asked, messages } = await startClaude();

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
    expect(claudeConfigSchema.parse({ arguments: ['--add-dir', '../lib'], maxTurns: 5 })).toEqual({
      arguments: ['--add-dir', '../lib'],
      maxTurns: 5,
    });
    expect(claudeConfigSchema.safeParse({ maxTurn: 5 }).success).toBe(false);
  });
});

function apiError(error: string | undefined, text: string): Record<string, unknown> {
  return {
    type: 'assistant',
    message: { id: 'msg_x', model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    ...(error === undefined ? {} : { error }),
  };
}
