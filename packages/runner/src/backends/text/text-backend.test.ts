import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { checkAgent } from '../../check/check-agent.ts';
import { heardSession, promptOf } from '../../check/heard-session.fixture.ts';
import { processesIn } from '../../check/processes-in.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { TextBackend } from './text-backend.ts';

/** An agent that is a shell script. */
function shellAgent(script: string, setup: Partial<AgentSetup> = {}): TextBackend {
  const file = join(tempFolder(), 'agent.sh');
  writeFileSync(file, `#!/bin/sh\n${script}`);
  chmodSync(file, 0o755);
  const { command = [], ...rest } = setup;
  const backend = new TextBackend({
    name: 'mine',
    kind: 'text',
    command: [file, ...command],
    env: {},
    options: {},
    folder: tempFolder(),
    log: SILENT_LOG,
    ...rest,
  });
  onTestFinished(() => backend.dispose());
  return backend;
}

const CHINESE_AGENT = `
read -r question
echo "思考: 用户想要查看文件..."
echo "执行: ls ./src"
echo "结果:"
echo index.ts
echo utils.ts
echo "回答: 目录中包含 index.ts 和 utils.ts。($question)"
`;

test('a shell script of ten lines is an agent [UAP-01, UAP-23]', async () => {
  const backend = shellAgent(CHINESE_AGENT);
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('有什么?'))).resolves.toEqual({ reason: 'done' });

  expect(session.messages()).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '用户想要查看文件...' },
        {
          type: 'tool_use',
          id: 'p1_call_1',
          name: 'ls',
          input: { command: 'ls ./src' },
          title: 'ls ./src',
          kind: 'execute',
        },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'p1_call_1', content: 'index.ts\nutils.ts' }] },
    { role: 'assistant', content: [{ type: 'text', text: '目录中包含 index.ts 和 utils.ts。(有什么?)' }] },
  ]);
  expect(session.broken()).toEqual([]);
});

test('such an agent passes the check [UAP-38]', async () => {
  const report = await checkAgent({
    create: () => shellAgent(`${CHINESE_AGENT}\nsleep 0.3`),
    cwd: tempFolder(),
    limits: { quiet: 10 },
  });

  expect(report.rules.filter(({ status }) => status === 'failed')).toEqual([]);
});

test('text can be read before the answer is complete [UAP-18]', async () => {
  const backend = shellAgent('printf "Hello "; while [ ! -e gate ]; do sleep 0.02; done; printf "world"');
  const session = heardSession();
  await backend.start(session);

  const turn = backend.prompt(promptOf('hi'));
  const first = await session.until('block-delta');
  writeFileSync(join(session.cwd, 'gate'), 'go\n');

  expect(first).toMatchObject({ delta: 'Hello ' });
  await expect(turn).resolves.toEqual({ reason: 'done' });
  expect(session.messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hello world' }] }]);
});

test('the prompt can be an argument, in its place or the last one, and is never read by a shell', async () => {
  const show = 'for word in "$@"; do echo "[$word]"; done';
  const text = '$(id) "q" \'s\' $& {model}';
  const said = async (command: string[], options: Record<string, unknown>) => {
    const backend = shellAgent(show, { command, options, model: 'm1' });
    const session = heardSession();
    await backend.start(session);
    await backend.prompt(promptOf(text));
    return session.messages();
  };
  const answer = (lines: string) => [{ role: 'assistant', content: [{ type: 'text', text: lines }] }];

  expect(await said(['-m', '{model}', '--', '{prompt}'], {})).toEqual(answer(`[-m]\n[m1]\n[--]\n[${text}]`));
  expect(await said(['--ask'], { input: 'argument' })).toEqual(answer(`[--ask]\n[${text}]`));
});

test('an exit code other than 0 fails the turn with the end of its standard error, and keeps what was said', async () => {
  const backend = shellAgent('echo "执行: build"; echo "no compiler" >&2; exit 3');
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('go'))).resolves.toMatchObject({
    reason: 'failed',
    error: { code: 'agent-failed', message: '"mine" exited with code 3: no compiler' },
  });
  expect(session.messages()[1]!.content).toEqual([
    { type: 'tool_result', tool_use_id: 'p1_call_1', content: 'The turn ended before a result came.', is_error: true },
  ]);
  expect(session.broken()).toEqual([]);
});

test('cancel ends the whole group of processes and leaves nothing open', async () => {
  const backend = shellAgent('echo "执行: work"; echo go; sleep 60 & sleep 60');
  const session = heardSession();
  await backend.start(session);

  const turn = backend.prompt(promptOf('go'));
  await session.until('block-start');
  await backend.cancel();

  await expect(turn).resolves.toEqual({ reason: 'cancelled' });
  expect(session.broken()).toEqual([]);
  expect(processesIn(session.cwd)).toEqual(new Map());
});

test('what belongs to us is kept out of its environment, what it is given is there', async () => {
  process.env['DRAGOMAN_TEST_SECRET'] = 'hidden';
  onTestFinished(() => void delete process.env['DRAGOMAN_TEST_SECRET']);
  const backend = shellAgent('echo "[$DRAGOMAN_TEST_SECRET] [$TOKEN] $(pwd)"', { env: { TOKEN: 't' } });
  const session = heardSession();
  await backend.start(session);
  await backend.prompt(promptOf('go'));

  expect(session.messages()[0]!.content).toEqual([{ type: 'text', text: `[] [t] ${session.cwd}` }]);
});

test('one process takes one prompt after the other; a line of its own ends each answer', async () => {
  const script = 'n=0; while read -r line; do n=$((n+1)); echo "$n: $line"; echo "<end>"; done';
  const backend = shellAgent(script, { options: { run: 'process', endMarker: '<end>' } });
  const session = heardSession();
  await backend.start(session);

  await backend.prompt(promptOf('one\ntwo', 'p1'));
  await backend.prompt(promptOf('three', 'p2'));

  expect(session.messages().map(({ content }) => content)).toEqual([
    [{ type: 'text', text: '1: one two' }],
    [{ type: 'text', text: '2: three' }],
  ]);
});

test('a process can be recognised to wait by its prompt; when it is gone, the next prompt starts it anew', async () => {
  const script =
    'echo Welcome; printf "> "; while read -r line; do echo "you: $line"; [ "$line" = bye ] && exit 1; printf "> "; done';
  const backend = shellAgent(script, { options: { run: 'process', promptPattern: '^> $' } });
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('hi', 'p1'))).resolves.toEqual({ reason: 'done' });
  await expect(backend.prompt(promptOf('bye', 'p2'))).resolves.toMatchObject({
    reason: 'failed',
    error: { message: '"mine" exited with code 1' },
  });
  await expect(backend.prompt(promptOf('again', 'p3'))).resolves.toEqual({ reason: 'done' });

  expect(session.messages().map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'you: hi' }],
    [{ type: 'text', text: 'you: bye' }],
    [{ type: 'notice', text: 'The agent was started anew and remembers nothing of before.', level: 'warning' }],
    [{ type: 'text', text: 'you: again' }],
  ]);
});

test('it can resume where its command takes the session, and change models where it takes one', () => {
  expect(shellAgent('', {}).capabilities).toEqual({});
  const backend = shellAgent('', { command: ['{sessionId}', '{model}'] });
  expect(backend.capabilities).toEqual({ resume: true, models: true });
  expect([backend.resume, backend.setModel].map((method) => typeof method)).toEqual(['function', 'function']);
});

test.each([
  [{ rules: 'klingon' }, 'rules: '],
  [{ rules: { thoughts: ['x'] } }, 'rules: '],
  [{ run: 'process' }, 'run: a process that goes on needs "endMarker" or "promptPattern"'],
  [{ promptPattern: '(' }, 'promptPattern: expected a regular expression'],
  [{ speed: 9 }, 'Unrecognized key: "speed"'],
])('a configuration such as %j is refused with the place and the reason', (options, reason) => {
  expect(() => shellAgent('', { options })).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(reason) }),
  );
});

test('a command that is not there is told by its name', async () => {
  const backend = new TextBackend({
    name: 'mine',
    kind: 'text',
    command: ['no-such-agent'],
    env: {},
    options: {},
    folder: tempFolder(),
    log: SILENT_LOG,
  });
  await backend.start(heardSession());

  await expect(backend.prompt(promptOf('hi'))).rejects.toMatchObject({
    code: 'unavailable',
    message: '"no-such-agent" is not on the PATH of this machine; install it, or name its place in the configuration',
  });
});

test('a prompt that cannot be an argument is refused with what to do, and the next one is answered', async () => {
  const backend = shellAgent('echo "$1"', { command: ['{prompt}'] });
  const session = heardSession();
  await backend.start(session);
  const fix = 'Set "input": "stdin" for this agent, and leave "{prompt}" out of its command.';

  await expect(backend.prompt(promptOf('x'.repeat(3_000_000), 'p1'))).rejects.toMatchObject({
    code: 'too-large',
    message: 'the prompt is 3000000 bytes long, and too long for "mine", which is given it as an argument',
    fix,
  });
  await expect(backend.prompt(promptOf('a\0b', 'p2'))).rejects.toMatchObject({
    code: 'bad-request',
    message:
      'the prompt has a NUL character in it, and "mine" is given its prompt as an argument, which cannot hold one',
    fix,
  });
  await expect(backend.prompt(promptOf('hello', 'p3'))).resolves.toEqual({ reason: 'done' });
});

test('an agent that goes well and says nothing is told to have said nothing, with what it wrote elsewhere', async () => {
  const backend = shellAgent('read -r line; [ "$line" = quiet ] || echo "no model is set" >&2');
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('hi', 'p1'))).resolves.toEqual({ reason: 'done' });
  await expect(backend.prompt(promptOf('quiet', 'p2'))).resolves.toEqual({ reason: 'done' });

  expect(session.messages().flatMap(({ content }) => content)).toEqual([
    {
      type: 'notice',
      level: 'warning',
      text: 'The agent said nothing; it wrote to its standard error: no model is set',
    },
    { type: 'notice', level: 'warning', text: 'The agent said nothing.' },
  ]);
});

test('an agent that writes without end is stopped, and its turn says so', async () => {
  const backend = shellAgent(`yes ${'word '.repeat(30)}`);
  const session = heardSession();
  await backend.start(session);

  await expect(backend.prompt(promptOf('hi'))).resolves.toMatchObject({
    reason: 'limit',
    error: { code: 'too-large', message: '"mine" was stopped after it had written more than 4 MB' },
  });
  expect(session.broken()).toEqual([]);
});
