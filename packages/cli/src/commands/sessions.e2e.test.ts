import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageSchema } from '@dragoman/protocol/schemas';
import {
  type FakeProvider,
  runDragoman,
  startDragoman,
  startFakeProvider,
  tempFolder,
  type ScriptedAnswer,
} from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { calls, chunk, saidTo, says } from '../chat-answer.fixture.ts';
import { codeBase } from '../code-base.fixture.ts';

interface Place {
  home: string;
  cwd: string;
  provider: FakeProvider;
}

async function place(...answers: ScriptedAnswer[]): Promise<Place> {
  const provider = await startFakeProvider();
  provider.answer(...answers);
  return { home: tempFolder(), cwd: codeBase(), provider };
}

async function run({ home, cwd, provider }: Place, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runDragoman(
    ['run', '--base-url', `${provider.url}/v1`, '--model', 'm', '--yes', ...args],
    { home, cwd },
  );
  expect([exitCode, stderr]).toEqual([0, '']);
}

async function sessions({ home, cwd }: Place, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runDragoman(['sessions', ...args], { home, cwd });
  return `${exitCode === 0 ? '' : `${exitCode} `}${stdout}${stderr}`;
}

async function latest(here: Place): Promise<string> {
  return (JSON.parse(await sessions(here, 'list', '--json')) as { id: string }[])[0]!.id;
}

test('sessions are listed by project, or all of them, the latest first, as many as asked for', async () => {
  const here = await place(says('ok'));
  const other = { ...here, cwd: tempFolder() };
  expect(await sessions(here)).toBe(`No sessions in ${here.cwd}. Start one with: dragoman run "…"\n`);
  await run(here, 'first \u001B[2J thing');
  await run(here, 'second thing');
  await run(other, 'elsewhere');

  const [own, all, elsewhere, wrong] = await Promise.all([
    sessions(here),
    sessions(here, 'list', '--all', '--limit', '2'),
    sessions(here, 'list', '--json', '--cwd', other.cwd),
    sessions(here, 'list', '--limit', 'all'),
  ]);
  expect(own).toMatch(
    /^id +last used +title\nses_\w+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}second thing\nses_\w+ {2}.{16} {2}first ␛\[2J thing\n$/,
  );
  expect(all).toMatch(
    /^id +last used +folder +title\n.* elsewhere\n.* second thing\nThere are more\. Use --limit 4 to show them\.\n$/,
  );
  expect(JSON.parse(elsewhere)).toEqual([
    {
      id: expect.stringMatching(/^ses_/) as string,
      root: other.cwd,
      cwd: other.cwd,
      title: 'elsewhere',
      createdAt: expect.any(Number) as number,
      updatedAt: expect.any(Number) as number,
    },
  ]);
  expect(wrong).toBe('2 dragoman: --limit all: expected a whole number from 1 to 10000.\n');
});

test('a conversation is shown as it was: who said what, a line for each tool, and how it ended [NFR-04]', async () => {
  const here = await place(calls('read', { filePath: 'src/login.py' }), says('It checks **passwords**.'), {
    status: 400,
    body: '{"error":{"message":"no such thing"}}',
  });
  await run(here, 'what does @src/login.py do?');
  const id = await latest(here);
  await runDragoman(['run', '--continue', '--base-url', here.provider.url, '--model', 'm', 'and now?'], here);

  const shown = await sessions(here, 'show', id);
  expect(
    shown
      .replace(/msg_\w+/g, 'msg_1')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
      .replace(/[\d.]+ m?s\n/g, 'MS\n'),
  ).toBe(
    [
      'what does @src/login.py do?',
      `${id} · ${here.cwd} · TIME`,
      '',
      'you msg_1 · TIME',
      'what does @src/login.py do?',
      '',
      '+ src/login.py',
      '',
      'build given/m',
      '✓ read src/login.py  MS',
      '',
      'It checks **passwords**.',
      '',
      'you msg_1 · TIME',
      'and now?',
      '',
      'build given/m',
      '✗ The provider "given" answered 400: no such thing',
      '  Use another model with --model, or check the provider: dragoman doctor',
      '',
    ].join('\n'),
  );
  const json = JSON.parse(await sessions(here, 'show', id, '--json')) as { session: object; messages: object[] };
  expect(json.session).toMatchObject({ id, title: 'what does @src/login.py do?' });
  expect(json.messages.map((message) => messageSchema.parse(message).info.role)).toEqual([
    'user',
    'assistant',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(await sessions(here, 'show', 'ses_none')).toBe(
    '1 dragoman: Session ses_none not found. List them with: dragoman sessions list --all\n',
  );
});

test('a fork begins with what was said before a message, and is gone on with alone', async () => {
  const here = await place(says('one'), says('two'), says('three'));
  await run(here, 'first');
  await run(here, '--continue', 'second');
  const id = await latest(here);
  const before = /you (msg_\w+).*\nsecond/.exec(await sessions(here, 'show', id))![1]!;

  const said = await sessions(here, 'fork', id, '--before', before);
  const [fork] = /^ses_\w+/.exec(said)!;
  expect(said).toBe(`${fork}\nContinue with: dragoman run --session ${fork} "…"\n`);
  await run(here, '--session', fork, 'instead');
  expect(saidTo(here.provider.requests[2]!)).toEqual([
    ['user', 'first'],
    ['assistant', 'one'],
    ['user', 'instead'],
  ]);
  expect(await sessions(here, 'fork', id, '--before', 'msg_none')).toBe(
    `1 dragoman: The session ${id} has no message msg_none.\n`,
  );
});

test('the last prompt is taken back with the files it changed, the one before with the next call, and all of it brought back', async () => {
  const here = await place(
    calls('bash', { command: 'printf one > new.txt' }),
    says('made'),
    calls('bash', { command: 'printf two > new.txt' }),
    says('changed'),
  );
  mkdirSync(join(here.cwd, '.dragoman'));
  const file = join(here.cwd, 'new.txt');
  writeFileSync(file, 'as it was');
  await run(here, 'make it');
  await run(here, '--continue', 'change it');
  const id = await latest(here);
  const unrevert = `To undo this before the next prompt: dragoman sessions unrevert ${id}\n`;
  expect(readFileSync(file, 'utf8')).toBe('two');

  expect(await sessions(here, 'revert', id, '--last')).toMatch(
    new RegExp(`^Reverted from msg_\\w+ on\\. Files restored:\n  .*new\\.txt\n${unrevert}$`),
  );
  expect(readFileSync(file, 'utf8')).toBe('one');
  expect(await sessions(here, 'show', id)).toMatch(
    /made\n\nEverything below was reverted\. To undo: .*\n\nyou .*\nchange it\n/,
  );
  expect(JSON.parse(await sessions(here, 'revert', id, '--last', '--json'))).toMatchObject({ skipped: [] });
  expect(readFileSync(file, 'utf8')).toBe('as it was');
  expect(await sessions(here, 'revert', id, '--last')).toBe(
    `1 dragoman: Session ${id} has no prompt left to revert.\n`,
  );

  expect(await sessions(here, 'unrevert', id)).toMatch(/^Revert undone\. Files restored:\n .*new\.txt\n$/);
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(await sessions(here, 'unrevert', id)).toMatch(/^1 dragoman: There is no revert to undo in session/);
  expect(await sessions(here, 'revert', id)).toBe(
    `2 dragoman: Name the message to revert from, or use --last for the last prompt. To list messages: dragoman sessions show ${id}\n`,
  );
});

test('a session is removed for good, but not while another process works on it', async () => {
  const here = await place(says('ok'), { body: [chunk({ content: 'let me ' }), new Promise(() => {})] });
  await run(here, 'first');
  const id = await latest(here);
  const work = startDragoman(
    ['run', '--session', id, 'more', '--base-url', `${here.provider.url}/v1`, '--model', 'm'],
    { home: here.home, cwd: here.cwd },
  );
  work.process.stdin!.end();
  await here.provider.request(2);

  expect(await sessions(here, 'remove', id)).toMatch(
    new RegExp(`^1 dragoman: Session ${id} is in use by another process \\(${work.process.pid} on \\S+\\)\\.\n$`),
  );
  work.process.kill('SIGINT');
  await work.finished;

  expect(await sessions(here, 'remove', id)).toBe(`Session ${id} deleted.\n`);
  expect(await sessions(here, 'list', '--all', '--json')).toBe('[]\n');
  expect(await sessions(here, 'remove', id)).toMatch(/^1 dragoman: Session \S+ not found/);
});

test('through npm, advice is what has to be typed', async () => {
  const { stderr } = await runDragoman(['sessions', 'show', 'ses_none'], { env: { npm_lifecycle_event: 'dragoman' } });

  expect(stderr).toContain('List them with: npm run -s dragoman -- sessions list --all\n');
});
