import { expect, test } from 'vitest';
import { readable } from './readable.fixture.ts';
import { RecordedSession, StandingClock } from './recorded-session.fixture.ts';
import { Screen } from './screen.fixture.ts';
import { terminalView } from './terminal-view.ts';

/** A session watched through a pipe. */
function onPipe(options: { isColored?: boolean } = {}) {
  const clock = new StandingClock();
  let written = '';
  const output = { write: (text: string) => (written += text), isTTY: false };
  const view = terminalView({ output, isColored: options.isColored ?? false, clock });
  return { clock, view, session: new RecordedSession(view, clock), written: () => written };
}

/** A session watched on a terminal. */
function onTerminal(columns = 60) {
  const clock = new StandingClock();
  const screen = new Screen(columns);
  const view = terminalView({ output: screen, isColored: true, clock, howToRun: (command) => `dragoman ${command}` });
  return { clock, screen, view, session: new RecordedSession(view, clock) };
}

const TOTALS = 'claude-sonnet-5 · 1 step · 5,200 tokens in (4,000 cached), 100 out · $0.0042';

test('a turn on a pipe: thoughts, text and calls in order, and what it came to at the end', () => {
  const { session, view, clock, written } = onPipe();
  session.startTurn();
  session.startStep();
  session.think(3200);
  session.say('I will look at ', 'the **login** first.\n\n- `src/login.ts`');
  const read = session.startTool('read', { filePath: '/project/src/login.ts', offset: 10, limit: 20 });
  clock.pass(120);
  read.complete('src/login.ts');
  const write = session.startTool('write', { filePath: '/etc/passwd', content: 'x' });
  clock.pass(5);
  write.fail('/etc/passwd is outside the project.\nAsk first.');
  session.finishStep();
  session.startStep();
  session.say('Done.');
  session.finishStep();
  session.finishTurn();
  view.end();
  view.end();

  expect(written()).toBe(
    [
      'thought for 3.2 s',
      '',
      'I will look at the **login** first.',
      '',
      '- `src/login.ts`',
      '',
      '✓ read src/login.ts:10-29  0.1 s',
      '✗ write /etc/passwd  5 ms',
      '  /etc/passwd is outside the project. …',
      '',
      'Done.',
      '',
      'claude-sonnet-5 · 2 steps · 2 tool calls · 10,400 tokens in (8,000 cached), 200 out · $0.0084 · 3.3 s',
      '',
    ].join('\n'),
  );
});

test('with colour, signs and times have styles', () => {
  const { session, view, clock, written } = onPipe({ isColored: true });
  session.startStep();
  session.think(1200);
  const read = session.startTool('read', { filePath: 'a.ts' });
  clock.pass(120);
  read.complete('a.ts');
  session.startTool('read', { filePath: 'b.ts' }).fail('There is no b.ts.');
  view.end();

  expect(readable(written())).toBe(
    [
      '‹dim›thought for 1.2 s‹/›',
      '‹green›✓‹/› read a.ts‹dim›  0.1 s‹/›',
      '‹red›✗‹/› read b.ts‹dim›  0 ms‹/›',
      '  ‹red›There is no b.ts.‹/›',
      '',
      '‹dim›claude-sonnet-5 · 1 step · 2 tool calls‹/›',
      '',
    ].join('\n'),
  );
});

test('on a terminal a call is rewritten in its place, and calls stay in the order in which they began', () => {
  const { session, view, clock, screen } = onTerminal();
  session.startTurn();
  session.startStep();
  const read = session.startTool('read', { filePath: '/project/src/a.ts' });
  const grep = session.startTool('grep', { pattern: 'login', path: 'src' });
  const bash = session.startTool('bash', { command: 'npm test' });
  expect(screen.text).toBe('◌ read src/a.ts\n◌ grep login in src\n◌ bash npm test');

  clock.pass(120);
  grep.complete('login');
  expect(screen.text).toBe('◌ read src/a.ts\n✓ grep login in src  0.1 s\n◌ bash npm test');

  clock.pass(2000);
  expect(screen.text).toBe('◌ read src/a.ts  2 s\n✓ grep login in src  0.1 s\n◌ bash npm test  2 s');

  read.complete('src/a.ts');
  bash.complete('npm test', { exitCode: 0 });
  expect(screen.text).toBe('✓ read src/a.ts  2.1 s\n✓ grep login in src  0.1 s\n✓ bash npm test  2.1 s');
  expect(clock.isTicking).toBe(false);

  session.finishStep();
  session.finishTurn();
  view.end();
  expect(screen.text).toBe(
    `✓ read src/a.ts  2.1 s\n✓ grep login in src  0.1 s\n✓ bash npm test  2.1 s\n\n${'claude-sonnet-5 · 1 step · 3 tool calls · 5,200 tokens in'}\n(4,000 cached), 100 out · $0.0042 · 2.1 s`,
  );
});

test('only what changed is written again', () => {
  const { session, clock, screen } = onTerminal();
  session.startStep();
  session.startTool('read', { filePath: 'a.ts' });
  session.startTool('grep', { pattern: 'x' });
  clock.pass(500);
  const before = screen.written.length;
  clock.pass(100);
  expect(screen.written.slice(before)).toEqual([]);

  clock.pass(400);
  expect(screen.written.slice(before).map(readable)).toEqual([
    '\r\u001B[1A\r‹yellow›◌‹/› read a.ts‹dim›  1 s‹/›\u001B[K\n\r‹yellow›◌‹/› grep x‹dim›  1 s‹/›\u001B[K',
  ]);
});

test('while it thinks, a line shows for how long and the last words; afterwards one line is left', () => {
  const { session, clock, screen } = onTerminal(40);
  session.startStep();
  expect(screen.text).toBe('⠋ waiting for claude-sonnet-5');
  clock.pass(1500);
  expect(screen.text).toBe('⠴ waiting for claude-sonnet-5 1 s');

  const part = session.part();
  session.add({ type: 'reasoning-start', ...part });
  session.add({
    type: 'reasoning-delta',
    ...part,
    delta: 'The login is **broken**, so\nI look for it\u001B[2J first.',
  });
  clock.pass(2000);
  expect(screen.text).toBe('⠴ thinking 2 s  …for it␛[2J first.');

  session.add({ type: 'reasoning-end', ...part });
  session.think(1500, 'more');
  expect(screen.text).toBe('thought for 3.5 s');
  session.say('Ok.');
  expect(screen.text).toBe('thought for 3.5 s\n\nOk.');
});

test('a thought without text is told only when it took a while', () => {
  const { session, view, written } = onPipe();
  session.startStep();
  session.think(400, '');
  session.say('a');
  session.think(1400, '');
  session.finishStep();
  view.end();

  expect(written()).toBe(`a\n\nthought for 1.4 s\n\n${TOTALS}\n`);
});

test('a running command shows the end of its output, one that failed why', () => {
  const { session, clock, screen } = onTerminal(40);
  session.startStep();
  const bash = session.startTool('bash', { command: 'npm run build && npm test -- --run all of it' });
  bash.update({ output: 'one\n\u001B[32mtwo\u001B[39m\n10 %\r90 %\r\nfour\n\nfive\tx\nsix\u001B[2J\nseven' });
  clock.pass(1000);
  expect(screen.text).toBe(
    ['◌ bash npm run build && npm test…  1 s', '  90 %', '  four', '  five    x', '  six␛[2J', '  seven'].join('\n'),
  );

  bash.complete('npm test', { exitCode: 2, output: 'a\nb\nFAIL x.test.ts\nexpected 1' });
  expect(screen.text).toBe(
    ['✗ bash npm run build && npm tes…  1.0 s', '  exit code 2', '  b', '  FAIL x.test.ts', '  expected 1'].join('\n'),
  );
});

test('a command is told as it was run, however it describes itself, and how it ended', () => {
  const { session, view, written } = onPipe();
  session.startStep();
  const run = (command: string, metadata: Record<string, unknown>) =>
    session.startTool('bash', { command }).complete('Runs something', metadata);
  run('npm test\nrm x', { exitCode: 0, end: 'exited' });
  run('sleep 9', { exitCode: null, end: 'timed-out', signal: 'SIGTERM', output: 'still\n' });
  run('sleep 8', { exitCode: null, end: 'aborted' });
  run('sleep 7', { exitCode: null, end: 'exited', signal: 'SIGKILL' });
  view.end();

  expect(written()).toBe(
    [
      '✓ bash npm test …  0 ms',
      '✗ bash sleep 9  0 ms',
      '  stopped: timed out',
      '  still',
      '✗ bash sleep 8  0 ms',
      '  stopped',
      '✗ bash sleep 7  0 ms',
      '  ended by SIGKILL',
      '',
      'claude-sonnet-5 · 1 step · 4 tool calls',
      '',
    ].join('\n'),
  );
});

test('a subagent whose own events are not shown tells what it is at', () => {
  const { session, clock, screen } = onTerminal();
  session.startStep();
  const task = session.startTool('task', { agent: 'explore', description: 'find it', prompt: 'x' });
  task.update({ taskID: 'ses_2', agent: 'explore', at: 'code-search', calls: 7 });
  clock.pass(1000);
  expect(screen.text).toBe('◌ task explore: find it  1 s\n  code search · 7 tool calls');
});

test('a change that a person was asked about with its diff is not shown a second time', () => {
  const { session, view, written } = onPipe();
  const diff = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n';
  session.startTurn();
  session.startStep();
  const asked = session.startTool('edit', { filePath: '/project/a.ts' });
  view.noteShownChange(asked.callID);
  asked.complete('a.ts', { diff });
  session.startTool('edit', { filePath: '/project/b.ts' }).complete('b.ts', { diff });
  session.finishStep();
  view.end();

  expect(written().match(/new$/gm)).toHaveLength(1);
});

test('what is waited for is said until something happens', () => {
  const { screen, view, session } = onTerminal();
  view.wait('starting');
  expect(screen.text).toMatch(/^. starting$/);
  session.startTurn();
  session.startStep();
  expect(screen.text).toMatch(/^. waiting for claude-sonnet-5$/);
  view.end();
  expect(screen.text).not.toContain('waiting');
});

test('a change shows its diff, twenty lines of it at most', () => {
  const { session, view, written } = onPipe({ isColored: true });
  session.startStep();
  const lines = Array.from({ length: 30 }, (_, index) => `+line ${index + 1}`);
  session.startTool('edit', { filePath: 'a.ts' }).complete('a.ts', {
    additions: 1,
    deletions: 1,
    diff: '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n same\n-old\u001B[2J\n+\tnew\n',
  });
  session
    .startTool('write', { filePath: 'b.ts' })
    .complete('b.ts', { diff: `@@ -0,0 +1,30 @@\n${lines.join('\n')}\n` });
  view.end();

  expect(readable(written()).split('\n')).toEqual([
    '‹green›✓‹/› edit a.ts‹dim›  +1 -1  0 ms‹/›',
    '  ‹cyan›@@ -1,2 +1,2 @@‹/›',
    '  ‹dim› same‹/›',
    '  ‹red›-old␛[2J‹/›',
    '  ‹green›+    new‹/›',
    '‹green›✓‹/› write b.ts‹dim›  0 ms‹/›',
    '  ‹cyan›@@ -0,0 +1,30 @@‹/›',
    ...lines.slice(0, 19).map((line) => `  ‹green›${line}‹/›`),
    '  ‹dim›… 11 more lines‹/›',
    '',
    '‹dim›claude-sonnet-5 · 1 step · 2 tool calls‹/›',
    '',
  ]);
});

test('a patch of several files names each', () => {
  const { session, view, written } = onPipe();
  const diff = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+b\n--- old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-- x\n';
  session.startStep();
  session.startTool('apply-patch', { patchText: '*** Update File: a.ts\n' }).complete('a.ts and 1 more', { diff });
  view.end();

  expect(written()).toBe(
    [
      '✓ patch a.ts and 1 more  0 ms',
      '  a.ts',
      '  @@ -1 +1 @@',
      '  -a',
      '  +b',
      '  old.ts (deleted)',
      '  @@ -1 +0,0 @@',
      '  -- x',
      '',
      'claude-sonnet-5 · 1 step · 1 tool call',
      '',
    ].join('\n'),
  );
});

test('the calls of a subagent stand below the task, the last ones of many', () => {
  const { session, clock, screen, view } = onTerminal(50);
  session.startStep();
  const task = session.startTool('task', { agent: 'explore', description: 'find the callers', prompt: 'x' });
  const subagent = new RecordedSession(view, clock, { id: 'ses_2', parentID: 'ses_1', title: 'find the callers' });
  subagent.startStep();
  subagent.say('This is for the agent.');
  const begin = (name: string) => {
    const call = subagent.startTool('read', { filePath: `/project/${name}.ts` });
    return { ...call, complete: () => call.complete(`${name}.ts`) };
  };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    const call = begin(name);
    clock.pass(1000);
    call.complete();
  }
  const failing = begin('h');
  expect(screen.text).toBe(
    '◌ task explore: find the callers  7 s\n  ✓ read f.ts  1.0 s\n  ✓ read g.ts  1.0 s\n  ◌ read h.ts',
  );
  clock.pass(1000);
  failing.fail('There is no h.ts.');
  const last = begin('i');
  clock.pass(1000);
  last.complete();
  subagent.finishStep();
  subagent.finishTurn();
  task.complete('find the callers', { taskID: 'ses_2' });
  view.end();

  expect(screen.text).toBe(
    [
      '✓ task explore: find the callers  9.0 s',
      '  … 1 earlier',
      '  ✓ read b.ts  1.0 s',
      '  ✓ read c.ts  1.0 s',
      '  ✓ read d.ts  1.0 s',
      '  ✓ read e.ts  1.0 s',
      '  ✓ read f.ts  1.0 s',
      '  ✓ read g.ts  1.0 s',
      '  ✗ read h.ts  1.0 s',
      '    There is no h.ts.',
      '  ✓ read i.ts  1.0 s',
      '',
      'claude-sonnet-5 · 1 step · 1 tool call ·',
      '5,200 tokens in (4,000 cached), 100 out · $0.0042',
    ].join('\n'),
  );
});

test('two subagents at once are told apart by their tasks; one without a task is shown by itself', () => {
  const { session, clock, view, written } = onPipe();
  session.startStep();
  const [one, two] = ['one', 'two'].map((description) => session.startTool('task', { agent: 'a', description }));
  const second = new RecordedSession(view, clock, { id: 'ses_3', parentID: 'ses_1', title: 'two' });
  const first = new RecordedSession(view, clock, { id: 'ses_2', parentID: 'ses_1', title: 'one' });
  const other = new RecordedSession(view, clock, { id: 'ses_9', parentID: 'ses_8', title: 'elsewhere' });
  for (const [agent, name] of [
    [second, 'second'],
    [first, 'first'],
    [other, 'other'],
  ] as const) {
    agent.startStep();
    agent.startTool('read', { filePath: `${name}.ts` }).complete(`${name}.ts`);
  }
  two!.complete('two');
  one!.complete('one');
  view.end();

  expect(written()).toBe(
    [
      '  ✓ read other.ts  0 ms',
      '✓ task a: two  0 ms',
      '  ✓ read second.ts  0 ms',
      '✓ task a: one  0 ms',
      '  ✓ read first.ts  0 ms',
      '',
      'claude-sonnet-5 · 1 step · 2 tool calls',
      '',
    ].join('\n'),
  );
});

test('todos are a checklist below the call that wrote them, or by themselves', () => {
  const todos = [
    { content: 'find it', status: 'completed' as const },
    { content: 'fix it so that it stays fixed for good', status: 'in_progress' as const },
    { content: 'test it', status: 'pending' as const },
    { content: 'forget it', status: 'cancelled' as const },
  ];
  const { session, view, screen } = onTerminal(30);
  session.startStep();
  const call = session.startTool('todo-write', { todos });
  session.add({ type: 'todos-updated', todos });
  call.complete('4 tasks: 1 done');
  session.add({ type: 'todos-updated', todos: todos.slice(2, 3) });
  view.end();

  expect(screen.text).toBe(
    [
      '✓ todos 4 tasks: 1 done  0 ms',
      '  ✓ find it',
      '  ◐ fix it so that it stays',
      '    fixed for good',
      '  ○ test it',
      '  – forget it',
      '  ○ test it',
      '',
      'claude-sonnet-5 · 1 step ·',
      '1 tool call',
    ].join('\n'),
  );
});

test('a call that is tried again says why and when, and the text goes on in a new line', () => {
  const { session, view, written } = onPipe();
  const retry = (attempt: number, details: Record<string, unknown>, message = 'Bad luck.') =>
    session.add({
      type: 'part-added',
      part: {
        id: `r${attempt}`,
        sessionID: 'ses_1',
        messageID: part.messageID,
        type: 'retry',
        attempt,
        error: { code: 'model', message, details },
        time: { created: 0 },
      },
    });
  session.startStep();
  const part = session.part();
  session.add({ type: 'text-start', ...part });
  session.add({ type: 'text-delta', ...part, delta: 'Half an ans' });
  session.add({ type: 'part-removed', ...part });
  retry(2, { code: 'rate-limited', delayMs: 2100, retries: 5 });
  retry(3, { code: 'timed-out', delayMs: 90_000 });
  retry(1, {});
  session.say('A whole answer.');
  session.finishStep();
  view.end();

  expect(written()).toBe(
    [
      'Half an ans',
      '',
      '↻ the provider is busy; retrying in 2 s (2 of 5)',
      '↻ the provider timed out; retrying in 1 min 30 s (3)',
      '↻ Bad luck; retrying',
      '',
      'A whole answer.',
      '',
      TOTALS,
      '',
    ].join('\n'),
  );
});

test('when the conversation is shortened, a line says so, and the summary is not shown', () => {
  const { session, view, screen } = onTerminal(50);
  session.startStep({ summary: true });
  expect(screen.text).toBe('⠋ summing up');
  session.say('A summary for the model.');
  session.think(2000);
  session.finishStep();
  session.add({ type: 'compacted', messageIDs: [], partIDs: ['a', 'b'] });
  session.add({ type: 'compacted', messageIDs: ['a'], partIDs: [] });
  view.end();

  expect(screen.text).toBe(
    [
      '≡ dropped the output of 2 earlier tool calls to',
      '  free up context',
      '≡ summarized 1 earlier message to free up context',
      '',
      'claude-sonnet-5 · 1 step · 5,200 tokens in',
      '(4,000 cached), 100 out · $0.0042',
    ].join('\n'),
  );
});

test('an error says what went wrong and what can be done', () => {
  const { session, view, screen } = onTerminal(44);
  session.startTurn();
  session.startStep();
  session.say('I try.');
  session.finishStep();
  session.finishTurn({ code: 'model', message: 'The provider refused the key.', details: { code: 'unauthenticated' } });
  view.end();

  expect(screen.text).toBe(
    [
      'I try.',
      '',
      '✗ The provider refused the key.',
      '  The provider rejected the API key. To see',
      '  which one is used: dragoman doctor --all',
      '',
      'claude-sonnet-5 · 1 step · 5,200 tokens in',
      '(4,000 cached), 100 out · $0.0042 · 0 ms',
    ].join('\n'),
  );
});

test('an answer that was cut or is empty is called so, once, whether the turn says it or not', () => {
  const shown = (
    reason: string,
    text: string,
    error?: Parameters<RecordedSession['finishTurn']>[0],
  ): readonly string[] => {
    const { session, view, written } = onPipe();
    session.startTurn();
    session.startStep();
    if (text !== '') session.say(text);
    session.finishStep(reason);
    session.finishTurn(error);
    view.end();
    return written()
      .split('\n')
      .filter((line) => line.startsWith('✗'));
  };

  expect(shown('stop', 'All of it.')).toEqual([]);
  expect(shown('length', 'Half of')).toEqual(["✗ The answer was cut off at the model's output limit."]);
  expect(shown('length', '')).toEqual(["✗ The answer was cut off at the model's output limit before any text."]);
  expect(shown('stop', ' ')).toEqual(['✗ The model returned an empty answer.']);
  expect(shown('length', 'Half of', { code: 'output-limit', message: 'It was cut.' })).toEqual(['✗ It was cut.']);
});

test('while it is held nothing is written; afterwards everything is there', () => {
  const { session, clock, screen, view } = onTerminal();
  session.startStep();
  const read = session.startTool('read', { filePath: 'a.ts' });
  const bash = session.startTool('bash', { command: 'rm x' });
  const release = view.hold();
  expect(screen.text).toBe('');

  screen.write('? may it\n');
  read.complete('a.ts');
  clock.pass(1000);
  expect(screen.text).toBe('? may it');

  release();
  expect(screen.text).toBe('? may it\n✓ read a.ts  0 ms\n◌ bash rm x  1 s');
  bash.complete('rm x');
  expect(screen.text).toBe('? may it\n✓ read a.ts  0 ms\n✓ bash rm x  1.0 s');
});

test('a call shows what it is about as its arguments come in, and that it waiting for approval', () => {
  const { session, clock, screen } = onTerminal();
  session.startStep();
  const part = session.part();
  session.add({ type: 'tool-input-start', ...part, callID: 'c', tool: 'edit' });
  expect(screen.text).toBe('◌ edit');
  session.add({ type: 'tool-input-delta', ...part, delta: '{"filePath":"src/\\u0061.ts","bad":"\\q","oldStr' });
  clock.pass(100);
  expect(screen.text).toBe('◌ edit src/a.ts');

  const input = { filePath: 'src/a.ts' };
  session.add({ type: 'tool-call', ...part, input });
  session.add({
    type: 'tool-state',
    ...part,
    state: { status: 'awaiting-approval', input, approvalID: 'apr_1', title: 'edit src/a.ts', time: { asked: 0 } },
  });
  expect(screen.text).toBe('? edit src/a.ts  waiting for approval');
  session.add({ type: 'part-removed', ...part });
  expect(screen.text).toBe('');
});

test('a tool of somebody else is called by its name, what it was given, and what its title says more', () => {
  const { session, view, written } = onPipe();
  session.startStep();
  session.startTool('jira_search', { q: 'x' }).complete('jira_search');
  session.startTool('jira_search', { q: 'x', password: 'hunter2' }).complete('three\nissues');
  session.startTool('jira_search', { q: 'x', max: 5 }).complete('jira_search in two projects');
  session.startTool('jira_search', { q: 'x' }).complete('jira: search');
  session.startTool('jira_search', {}).complete('three issues');
  view.end();

  expect(written()).toBe(
    [
      '✓ jira_search x  0 ms',
      '✓ jira_search x · three issues  0 ms',
      '✓ jira_search q: x, max: 5 · in two projects  0 ms',
      '✓ jira_search x  0 ms',
      '✓ jira_search three issues  0 ms',
      '',
      'claude-sonnet-5 · 1 step · 5 tool calls',
      '',
    ].join('\n'),
  );
});

test('a text that the provider ends late is over when a call begins; two at once follow each other', () => {
  const { session, view, written } = onPipe();
  session.startStep();
  const [one, two, three] = [session.part(), session.part(), session.part()];
  session.add({ type: 'text-delta', ...one, delta: 'One ' });
  session.add({ type: 'text-delta', ...two, delta: 'Two ' });
  session.add({ type: 'text-delta', ...three, delta: 'Three.' });
  session.add({ type: 'text-end', ...three });
  session.add({ type: 'text-delta', ...one, delta: 'goes on.' });
  session.add({ type: 'text-delta', ...two, delta: 'as well.' });
  session.add({ type: 'text-end', ...one });
  const read = session.startTool('read', { filePath: 'a.ts' });
  session.add({ type: 'text-end', ...two });
  read.complete('a.ts');
  view.end();

  expect(written()).toBe(
    'One goes on.\n\nTwo as well.\n\nThree.\n\n✓ read a.ts  0 ms\n\nclaude-sonnet-5 · 1 step · 1 tool call\n',
  );
});

test('a call that never ended is shown as it stood', () => {
  const { session, clock, view, screen } = onTerminal();
  session.startTurn();
  session.startStep();
  session.startTool('bash', { command: 'sleep 100' });
  clock.pass(90_000);
  view.end();

  expect(screen.text).toBe('◌ bash sleep 100  1 min 30 s\n\nclaude-sonnet-5 · 1 step · 1 tool call · 1 min 30 s');
  expect(clock.isTicking).toBe(false);
});

test('more calls than the terminal has lines are counted', () => {
  const { session, screen } = onTerminal();
  session.startStep();
  for (let index = 1; index <= 50; index++) session.startTool('read', { filePath: `${index}.ts` });

  expect(screen.text.split('\n').slice(-2)).toEqual(['◌ read 36.ts', '… 14 more']);
});

test('a terminal that was made narrower is put in order again', () => {
  const { session, clock, screen } = onTerminal(60);
  session.startStep();
  const bash = session.startTool('bash', { command: 'echo a rather long command line' });
  screen.columns = 40;
  clock.pass(1000);
  bash.complete('echo');
  expect(screen.text).toBe('✓ bash echo a rather long comma…  1.0 s');
});

test('a terminal that does not know its size is taken for one of 80 columns', () => {
  const { session, clock, screen } = onTerminal(0);
  session.startStep();
  const call = session.startTool('bash', { command: 'echo ' + 'x'.repeat(100) });
  expect(screen.written.at(-1)).toContain(`bash echo ${'x'.repeat(66)}…`);
  clock.pass(10);
  call.complete('echo');
  expect(screen.written.at(-1)).toContain(`bash echo ${'x'.repeat(59)}…`);
});

test('a view without events writes nothing', () => {
  let written = '';
  terminalView({ output: { write: (text: string) => (written += text) }, isColored: false }).end();
  expect(written).toBe('');
});
