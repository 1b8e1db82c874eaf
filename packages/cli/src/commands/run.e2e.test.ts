import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldSession, type LoggedEvent, type SessionState } from '@dragoman/protocol';
import { agentEventSchema, messageSchema } from '@dragoman/protocol/schemas';
import {
  type FakeProvider,
  type FinishedRun,
  closedPort,
  runDragoman,
  type RunOptions,
  startDragoman,
  startFakeProvider,
  tempFolder,
} from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { calls, chunk, saidTo, says } from '../chat-answer.fixture.ts';
import { codeBase } from '../code-base.fixture.ts';

const KEY = 'sk-this-is-the-key-of-the-run';
const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const QUESTION = 'how often is a call retried?';

/** `dragoman run` with a service that answers as the test says. */
function runOn({ url }: FakeProvider, args: readonly string[], options: RunOptions = {}): Promise<FinishedRun> {
  return runDragoman(['run', '--base-url', `${url}/v1`, '--model', 'm', '--api-key', KEY, ...args], options);
}

async function readSession(id: string, home: string): Promise<Pick<SessionState, 'messages' | 'turn'>> {
  const { stdout } = await runDragoman(['sessions', 'show', id, '--json'], { home });
  return JSON.parse(stdout) as SessionState;
}

async function latestSession(home: string): Promise<string> {
  const { stdout } = await runDragoman(['sessions', 'list', '--all', '--json'], { home });
  return (JSON.parse(stdout) as { id: string }[])[0]!.id;
}

/** Everything that was stored. */
function storedIn(home: string): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n');
}

test('without any key a question about the folder is answered with the right file [NFR-05]', async () => {
  const { exitCode, stdout, stderr } = await runDragoman(['run', QUESTION], { cwd: codeBase() });

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^✓ code search how often is a call retried\? {2}[\d.]+ m?s\n/);
  expect(stdout).toContain('src/retry.ts');
  expect(stdout).toContain('MAX_RETRIES = 3');
  expect(stdout).toMatch(/\noffline · 2 steps · 1 tool call · .*\n$/);
});

test('events are printed one a line as the schema has them, from the first on, and add up to what is stored [NFR-04]', async () => {
  const home = tempFolder();
  const { exitCode, stdout, stderr } = await runDragoman(['run', QUESTION, '--format', 'json'], {
    cwd: codeBase(),
    home,
  });

  expect([exitCode, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  const log = lines.map((line): LoggedEvent => {
    const { seq, at, sessionID, ...event } = JSON.parse(line) as { seq: number; at: number; sessionID: string };
    expect(sessionID).toMatch(/^ses_/);
    return { seq, at, event: agentEventSchema.parse(event) };
  });
  expect(log.at(-1)!.event).toMatchObject({ type: 'turn-finished', counters: { modelCalls: 2, toolCalls: 1 } });
  const state = foldSession(log)!;
  for (const message of state.messages) messageSchema.parse(message);
  const stored = await readSession(state.info.id, home);
  expect(stored.messages).toEqual(JSON.parse(JSON.stringify(state.messages)));
});

test('a prompt comes as words, through a pipe, or as both: the words first', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('ok'));
  const cwd = tempFolder();

  await Promise.all([
    runOn(provider, ['say', 'ok'], { cwd }),
    runOn(provider, [], { cwd, input: 'from a pipe\n' }),
    runOn(provider, ['explain this'], { cwd, input: 'error: it broke\n' }),
  ]);

  expect(new Set(provider.requests.flatMap((request) => saidTo(request)))).toEqual(
    new Set([
      ['user', 'say ok'],
      ['user', 'from a pipe'],
      ['user', 'explain this\n\nerror: it broke'],
    ]),
  );
});

test('a session is gone on with, by itself or by its id, and forked, each with what was said before', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('one'), says('two'), says('three'), says('four'));
  const [home, cwd] = [tempFolder(), codeBase()];
  mkdirSync(join(cwd, '.dragoman'));
  const first = [
    ['user', 'first'],
    ['assistant', 'one'],
    ['user', 'second'],
  ];
  const second = [...first, ['assistant', 'two']];

  await runOn(provider, ['first'], { home, cwd });
  await runOn(provider, ['--continue', 'second'], { home, cwd: join(cwd, 'src') });
  expect(saidTo(provider.requests[1]!)).toEqual(first);
  const id = await latestSession(home);
  await runOn(provider, ['--session', id, '--fork', 'aside'], { home, cwd: tempFolder() });
  expect(saidTo(provider.requests[2]!)).toEqual([...second, ['user', 'aside']]);
  const elsewhere = await runOn(provider, ['--session', id, 'third'], { home, cwd: tempFolder() });
  expect(elsewhere.stderr).toBe(`dragoman: working in ${cwd} (the session's folder)\n`);
  expect(saidTo(provider.requests[3]!)).toEqual([...second, ['user', 'third']]);

  const listed = await runDragoman(['sessions', 'list'], { home, cwd });
  expect(listed.stdout.match(/ses_\w+ .*/g)).toEqual([
    expect.stringMatching(`${id} .* first$`),
    expect.stringMatching(/first \(fork\)$/),
  ]);
});

test('the folder is the one that is named, and a fork printed as events begins with what it took over', async () => {
  const provider = await startFakeProvider();
  provider.answer(calls('read', { filePath: 'src/login.py' }), says('read it'), says('again'));
  const [home, cwd] = [tempFolder(), codeBase()];

  const { stdout } = await runOn(provider, ['read it', '--cwd', cwd], { home, cwd: tempFolder() });
  expect(stdout).toMatch(/^✓ read src\/login\.py/);
  expect(saidTo(provider.requests[1]!).at(-1)).toEqual(['tool', expect.stringContaining('def check_password')]);

  const fork = await runOn(provider, ['once more', '--continue', '--fork', '--cwd', cwd, '--format', 'json'], { home });
  const log = fork.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; at: number; type: string });
  const state = foldSession(log.map(({ seq, at, ...event }) => ({ seq, at, event: event as LoggedEvent['event'] })))!;
  expect(state.messages.map(({ info }) => info.role)).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant']);
  expect(state.info.forkedFrom).toEqual({ sessionID: expect.stringMatching(/^ses_/) as string });
});

test('what cannot be begun says why, and nothing is stored', async () => {
  const home = tempFolder();
  const cwd = codeBase();
  const failing = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDragoman(['run', ...args], { home, cwd });
    return `${exitCode} ${stdout}${stderr.trim()}`;
  };

  expect(
    await Promise.all([
      failing(),
      failing('  '),
      failing('hi', '--format', 'xml'),
      failing('hi', '--cwd', '/no/such/folder'),
      failing('hi', '--base-url', 'nonsense'),
      failing('hi', '--base-url', 'ftp://example.com'),
      failing('hi', '--base-url', `http://me:${KEY}@127.0.0.1/v1`),
      failing('hi', '--api-key', KEY),
      failing('hi', '--base-url', 'http://127.0.0.1/v1', '--context', 'much'),
      failing('hi', '--fork'),
      failing('hi', '--session', 'ses_x', '--cwd', cwd),
      failing('hi', '--session', 'ses_x', '--continue'),
    ]),
  ).toEqual([
    '2 dragoman: Enter a prompt: dragoman run "…"',
    '2 dragoman: Enter a prompt: dragoman run "…"',
    '2 dragoman: --format xml: expected "text" or "json".',
    '2 dragoman: /no/such/folder is not a folder.',
    '2 dragoman: --base-url nonsense: expected an address such as http://127.0.0.1:8000/v1.',
    '2 dragoman: --base-url ftp://example.com: expected an address such as http://127.0.0.1:8000/v1.',
    '2 dragoman: --base-url: pass the key with --api-key, not in the URL.',
    '2 dragoman: --api-key and --context need --base-url. To configure a provider, edit dragoman.json.',
    '2 dragoman: --context much: expected a whole number of tokens, 1000 or more.',
    '2 dragoman: --fork needs a session: add --continue or --session.',
    '2 dragoman: --cwd and --session cannot be combined: a session always runs in its own folder.',
    '2 dragoman: --continue and --session cannot be combined: use --session ID for a specific session, --continue for the latest.',
  ]);
  expect(
    await Promise.all([
      failing('hi', '--agent', 'nobody'),
      failing('hi', '--model', 'nothing'),
      failing('hi', '--session', 'ses_x'),
      failing('hi', '--continue'),
    ]),
  ).toEqual([
    '1 dragoman: There is no agent "nobody" here. The agents are: build, plan, explore, general.',
    '1 dragoman: There is no model named "nothing". Available models: offline/offline.',
    '1 dragoman: Session ses_x not found. List them with: dragoman sessions list --all',
    `1 dragoman: There is no session in ${cwd} to continue.`,
  ]);
  expect((await runDragoman(['sessions', 'list', '--all', '--json'], { home })).stdout).toBe('[]\n');
});

test('a configuration that cannot be used ends it with the place and exit code 3, before anybody is asked', async () => {
  const provider = await startFakeProvider();
  const home = tempFolder();
  writeFileSync(join(home, 'dragoman.json'), '{ "agent": { "loop": { "threshold": 1 } } }');

  const { exitCode, stderr } = await runOn(provider, ['hi'], { home, cwd: tempFolder() });

  expect(exitCode).toBe(3);
  expect(stderr).toContain(`${join(home, 'dragoman.json')}:1:`);
  expect(provider.requests).toEqual([]);
});

test('without a model the service is asked for its first one, and one that cannot tell says why', async () => {
  const provider = await startFakeProvider();
  const run = (url: string, ...args: string[]) =>
    runDragoman(['run', 'hi', '--base-url', url, ...args], { cwd: tempFolder(), env: { SOME_KEY: KEY } });
  provider.answer({ body: '{"data":[{"id":"first"},{"id":"second"}]}' }, says('ok'));

  const found = await run(`${provider.url}/v1/`, '--api-key', '{env:SOME_KEY}');
  expect([found.exitCode, found.stderr]).toEqual([0, '']);
  expect(provider.requests.map(({ path, headers, body }) => [path, headers.authorization, body['model']])).toEqual([
    ['/v1/models', `Bearer ${KEY}`, undefined],
    ['/v1/chat/completions', `Bearer ${KEY}`, 'first'],
  ]);

  const failing = async (url: string, ...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(url, ...args);
    return `${exitCode} ${stdout}${stderr.trim()}`;
  };
  provider.answer({ status: 404, body: 'nothing here' });
  expect(await failing(provider.url)).toBe(
    `2 dragoman: ${provider.url} does not list its models (404). Name one with --model.`,
  );
  provider.answer({ status: 401, body: `{"error":{"message":"Wrong key: ${KEY}"}}` });
  expect(await failing(provider.url)).toBe(`1 dragoman: ${provider.url} requires a key (401). Pass it with --api-key.`);
  expect(await failing(provider.url, '--api-key', KEY)).toBe(`1 dragoman: ${provider.url} rejected the API key (401).`);
  const closed = `http://127.0.0.1:${await closedPort()}/v1`;
  expect(await failing(closed)).toBe(`1 dragoman: Cannot reach ${closed}: ECONNREFUSED`);
});

test('a service that cannot be reached or refuses the key ends the turn with exit code 1 and its reason', async () => {
  const provider = await startFakeProvider();
  provider.answer({ status: 401, body: `{"error":{"message":"Incorrect API key provided: ${KEY}"}}` });
  const [home, cwd] = [tempFolder(), tempFolder()];
  writeFileSync(join(home, 'dragoman.json'), '{ "agent": { "retry": { "retries": 1, "firstDelayMs": 1 } } }');
  const closed = `http://127.0.0.1:${await closedPort()}/v1`;

  const refused = await runOn(provider, ['hi'], { home, cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([1, '']);
  expect(refused.stdout).toMatch(/^✗ .*401.*\n/);
  expect(refused.stdout).toContain('The provider rejected the API key.');

  const away = await runDragoman(['run', 'hi', '--base-url', closed, '--model', 'm'], { home, cwd });
  expect([away.exitCode, away.stderr]).toEqual([1, '']);
  expect(away.stdout).toMatch(/^↻ cannot reach the provider; retrying in .*\n\n✗ .*ECONNREFUSED\n/);

  const json = await runOn(provider, ['hi', '--format', 'json'], { home, cwd });
  expect(json.exitCode).toBe(1);
  expect(json.stderr).toMatch(/^dragoman: .*401.*\n$/);
  expect(JSON.parse(json.stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({
    type: 'turn-finished',
    error: { code: 'model', details: { code: 'unauthenticated' } },
  });

  for (const text of [refused.stdout, json.stdout, json.stderr, storedIn(home)]) expect(text).not.toContain(KEY);
});

test('a model that was there for one run is asked for again when the session goes on', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('ok'));
  const [home, cwd] = [tempFolder(), tempFolder()];
  await runOn(provider, ['hi'], { home, cwd });
  const id = await latestSession(home);

  const alone = await runDragoman(['run', 'go on', '--continue'], { home, cwd });
  expect([alone.exitCode, alone.stderr]).toEqual([
    1,
    `dragoman: Session ${id} used the model "given/m", which is no longer available. Choose one with --model, or pass its --base-url again.\n`,
  ]);
  const other = await runDragoman(['run', 'go on', '--continue', '--model', 'offline/offline'], { home, cwd });
  expect(other.exitCode).toBe(0);

  expect((await readSession(id, home)).messages.filter(({ info }) => info.role === 'user')).toHaveLength(2);
  const nothing = await runDragoman(['run', '--continue'], { home, cwd });
  expect([nothing.exitCode, nothing.stderr]).toEqual([
    2,
    `dragoman: Nothing is queued in session ${id}. Enter a prompt: dragoman run --continue "…"\n`,
  ]);
});

test('where nobody can be asked, what would be asked about is not done and everybody is told; with --yes it is done', async () => {
  const provider = await startFakeProvider();
  const script = [calls('write', { filePath: 'new.txt', content: 'made' }), says('done')];
  const [home, cwd] = [tempFolder(), tempFolder()];

  provider.answer(...script);
  const denied = await runOn(provider, ['make it'], { home, cwd });
  expect(denied.exitCode).toBe(0);
  expect(denied.stdout).toMatch(/^✗ write new\.txt .*\n {2}.*Nobody can be asked here, so it was not run\.\n/);
  expect(saidTo(provider.requests[1]!).at(-1)).toEqual([
    'tool',
    expect.stringContaining('The user can allow it by starting with --yes'),
  ]);
  expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
  expect(denied.stderr).toBe(
    'dragoman: 1 call was denied because there was no one to ask: write. To approve such calls, run with --yes, or add this to dragoman.json: "permissions": { "edit": { "./new.txt": "allow" } }\n',
  );

  provider.answer(...script);
  const allowed = await runOn(provider, ['make it', '--yes'], { home, cwd });
  expect([allowed.stdout, allowed.stderr]).toEqual([expect.stringMatching(/^✓ write new\.txt/), '']);
  expect(readFileSync(join(cwd, 'new.txt'), 'utf8')).toBe('made');
});

test('a subagent’s events are told with those of the session, each under its own [NFR-04]', async () => {
  const provider = await startFakeProvider();
  const task = { description: 'Look', prompt: 'look around', agent: 'explore' };
  provider.answer(calls('task', task), says('looked'), says('done'));

  const { stdout } = await runOn(provider, ['go', '--format', 'json'], { cwd: tempFolder() });

  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { sessionID: string; type: string });
  const [own, other] = new Set(events.map(({ sessionID }) => sessionID));
  expect(events.filter(({ sessionID }) => sessionID === other).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['session-created', 'turn-started', 'text-delta', 'turn-finished']),
  );
  expect(events.find(({ type, sessionID }) => type === 'session-created' && sessionID === other)).toMatchObject({
    session: { parentID: own },
  });
});

test('Ctrl-C ends the turn well: exit code 130, every call settled, and the session can go on', async () => {
  const provider = await startFakeProvider();
  const [home, cwd] = [tempFolder(), tempFolder()];
  const never = new Promise(() => {});
  const started = chunk({
    tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'read', arguments: '{' } }],
  });
  provider.answer({ body: [chunk({ content: 'Let me see. ' }), started, never] });
  const run = startDragoman(
    ['run', 'hi', '--base-url', `${provider.url}/v1`, '--model', 'm', '--api-key', KEY, '--format', 'json'],
    { home, cwd },
  );
  run.process.stdin!.end();
  await untilPrinted(run.process.stdout!, 'tool-input-start');

  run.process.kill('SIGINT');
  const { exitCode, stdout, stderr } = await run.finished;

  expect([exitCode, stderr]).toEqual([130, 'dragoman: The turn was cancelled.\n']);
  expect(await provider.requests[0]!.ended).toBe('left');
  const { sessionID } = JSON.parse(stdout.split('\n')[0]!) as { sessionID: string };
  const { turn, messages } = await readSession(sessionID, home);
  expect(turn).toMatchObject({ finishedAt: expect.any(Number) as number, error: { code: 'aborted' } });
  expect(messages.at(-1)!.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'Let me see. ' },
    { type: 'tool', state: { status: 'error' } },
    { type: 'step-finish', reason: 'aborted' },
  ]);
  provider.answer(says('going on'));
  expect((await runOn(provider, ['go on', '--continue'], { home, cwd })).stdout).toContain('going on');
});

test('a reader that leaves early ends it quietly, and the session is settled', async () => {
  const provider = await startFakeProvider();
  const home = tempFolder();
  const left = Promise.withResolvers<void>();
  provider.answer({
    body: [chunk({ content: 'one\n\n' }), left.promise, chunk({ content: 'two\n\nthree\n\n' }), new Promise(() => {})],
  });
  const run = startDragoman(['run', 'hi', '--base-url', `${provider.url}/v1`, '--model', 'm'], {
    home,
    cwd: tempFolder(),
  });
  run.process.stdin!.end();
  await untilPrinted(run.process.stdout!, 'one');

  run.process.stdout!.destroy();
  left.resolve();
  const { exitCode, stderr } = await run.finished;

  expect([exitCode, stderr]).toEqual([0, '']);
  const { turn } = await readSession(await latestSession(home), home);
  expect(turn).toMatchObject({ finishedAt: expect.any(Number) as number, error: { code: 'aborted' } });
});

/** The program as a shell starts it, for what pipes cannot show. */
async function runInShell(script: string, cwd: string): Promise<{ exitCode: number; stderr: string }> {
  const child = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, '--conditions=@dragoman/source', PROGRAM], {
    cwd,
    env: { ...process.env, DRAGOMAN_HOME: tempFolder() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (piece: Buffer) => (stderr += String(piece)));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, stderr };
}

test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written ends it with exit code 1 (needs /dev/full)',
  async () => {
    const { exitCode, stderr } = await runInShell('"$@" run hi > /dev/full', codeBase());

    expect(stderr).toContain('dragoman: Cannot write output: ');
    expect(exitCode).toBe(1);
  },
);

test.skipIf(process.platform === 'win32')(
  'a current folder that is gone is told as such (not on Windows)',
  async () => {
    const gone = join(tempFolder(), 'gone');
    mkdirSync(gone);

    expect(await runInShell(`rmdir '${gone}' && "$@" run hi`, gone)).toEqual({
      exitCode: 2,
      stderr: 'dragoman: The current folder no longer exists. Change to another one.\n',
    });
  },
);

async function untilPrinted(output: NodeJS.ReadableStream, text: string): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve) => {
    output.on('data', (piece: Buffer) => {
      printed += String(piece);
      if (printed.includes(text)) resolve();
    });
  });
}
