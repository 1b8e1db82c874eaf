import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { AnsweredElsewhere } from './answered-elsewhere.ts';
import { type ApprovalQuestion, type ApprovalTerminal, askApproval } from './ask-approval.ts';
import { readable } from './readable.fixture.ts';
import { Screen } from './screen.fixture.ts';

/** A keyboard whose mode can be looked at. */
class Keyboard extends PassThrough {
  isRaw = false;
  readonly modes: boolean[] = [];

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    this.modes.push(isRaw);
    return this;
  }
}

const QUESTION: ApprovalQuestion = {
  title: 'bash git push origin main',
  reason: 'No rule allows "git push origin main".',
  subjects: [{ kind: 'command', value: 'git push origin main' }],
  always: ['bash: git push *'],
};

function ask(question: Partial<ApprovalQuestion> = {}, options: Partial<ApprovalTerminal> = {}, columns = 60) {
  const input = new Keyboard();
  const output = new Screen(columns);
  const interrupts: string[] = [];
  const reply = askApproval(
    { input, output, onInterrupt: () => interrupts.push('interrupt'), ...options },
    { ...QUESTION, ...question },
  );
  return { input, output, reply, interrupts };
}

test('what would run, why it is asked and what would be saved are shown', async () => {
  const { input, output, reply } = ask();
  expect(output.text).toBe(
    [
      '? bash git push origin main',
      '  No rule allows "git push origin main".',
      '  y  allow once',
      '  a  always allow in this project: bash: git push *',
      '  n  deny',
      '  e  deny with reason',
    ].join('\n'),
  );
  input.write('n');
  await reply;
});

test.each([
  ['y', 'once', 'allowed once'],
  ['Y', 'once', 'allowed once'],
  ['y\n', 'once', 'allowed once'],
  ['y\r\n', 'once', 'allowed once'],
  ['a', 'always', 'always allowed in this project'],
  ['a\r', 'always', 'always allowed in this project'],
  ['n', 'reject', 'denied'],
  ['\u0004', 'reject', 'denied'],
])('the key %j means %s', async (key, expected, said) => {
  const { input, output, reply } = ask();
  input.write(key);
  expect(await reply).toBe(expected);
  expect(output.text).toBe(`? bash git push origin main\n  No rule allows "git push origin main".\n  → ${said}`);
  expect(input.modes).toEqual([true, false]);
  expect(input.isPaused()).toBe(true);
  expect(input.listenerCount('data')).toBe(0);
});

test('keys that mean nothing, several at once and "always" where there is nothing to save are answered, once, with the keys there are', async () => {
  const { input, output, reply } = ask({ always: [] });
  expect(output.text).not.toContain('always');
  for (const keys of ['\r', 'x', '\u001B[A', 'y\n\n', 'yes\n', 'yy', 'a', 'a\r']) {
    input.write(keys);
    await new Promise(setImmediate);
  }
  expect(output.text.split('\n').slice(-4)).toEqual([
    '  y  allow once',
    '  n  deny',
    '  e  deny with reason',
    '  Press y, n or e.',
  ]);
  input.write('n');
  expect(await reply).toBe('reject');
  expect(output.text).toBe('? bash git push origin main\n  No rule allows "git push origin main".\n  → denied');
});

test('a key that was pressed twice, held down or typed ahead does not answer the question that comes up', async () => {
  let time = 1_000;
  const { input, reply } = ask({}, { now: () => time });
  const press = async (key: string, laterMs: number) => {
    time += laterMs;
    input.write(key);
    await new Promise(setImmediate);
  };
  await press('y', 0);
  await press('a', 299);
  for (let held = 0; held < 50; held++) await press('y', 33);
  await press('n', 300);
  expect(await reply).toBe('reject');

  const next = ask({}, { now: () => time });
  next.input.write('y');
  await new Promise(setImmediate);
  next.input.write('\u0003');
  expect(await next.reply).toBe('reject');
  expect(next.interrupts).toEqual(['interrupt']);
});

test('Ctrl-C is a no, and ends more than the question', async () => {
  const { input, reply, interrupts } = ask();
  input.write('\u0003');
  expect(await reply).toBe('reject');
  expect(interrupts).toEqual(['interrupt']);
  expect(input.isRaw).toBe(false);
});

test('a no can say why, in a line', async () => {
  const { input, output, reply } = ask();
  input.write('e');
  await expect.poll(() => output.text).toContain('denied; reason:');
  await expect.poll(() => input.modes).toEqual([true, false, true]);
  input.write('use a brx');
  input.write('\u007F');
  input.write('anch \r');
  expect(await reply).toEqual({ reject: 'use a branch' });
  expect(output.text).toContain('→ denied; reason:\n  use a branch');
  expect(input.isRaw).toBe(false);
});

test('a no that says nothing is a plain no; Ctrl-C there ends more', async () => {
  const first = ask();
  first.input.write('e');
  await expect.poll(() => first.input.modes).toEqual([true, false, true]);
  first.input.write('\r');
  expect(await first.reply).toBe('reject');

  const second = ask();
  second.input.write('e');
  await expect.poll(() => second.input.modes).toEqual([true, false, true]);
  second.input.write('\u0003');
  expect(await second.reply).toBe('reject');
  expect(second.interrupts).toEqual(['interrupt']);
});

test('a question that was answered elsewhere ends, and the terminal is as it was', async () => {
  const abort = new AbortController();
  const { input, output, reply } = ask({}, { signal: abort.signal });
  abort.abort(new Error('answered in Telegram'));
  await expect(reply).rejects.toThrow('answered in Telegram');
  expect(output.text).toContain('→ already answered or expired');
  expect(input.modes).toEqual([true, false]);
  await expect(ask({}, { signal: abort.signal }).reply).rejects.toThrow('answered in Telegram');
});

test('who answered elsewhere, what and where is told', async () => {
  const abort = new AbortController();
  const { output, reply } = ask({}, { signal: abort.signal });
  const by = { type: 'user', userId: 'usr_a', name: 'ada', channel: 'web' } as const;
  abort.abort(new AnsweredElsewhere('allowed once', by));
  await expect(reply).rejects.toThrow('allowed once by ada in the console');
  expect(output.text).toContain('→ allowed once by ada in the console');
});

test('an abort while the reason is typed ends it too', async () => {
  const abort = new AbortController();
  const { input, reply } = ask({}, { signal: abort.signal });
  input.write('e');
  await expect.poll(() => input.modes).toEqual([true, false, true]);
  abort.abort(new Error('too late'));
  await expect(reply).rejects.toThrow('too late');
  expect(input.isRaw).toBe(false);
});

test('the end of the input is a no', async () => {
  const { input, reply } = ask();
  input.end();
  expect(await reply).toBe('reject');
});

test('a diff is shown in colour, and nothing in a question drives the terminal', async () => {
  const { input, output, reply } = ask(
    {
      title: 'edit a\u001B[2J.ts',
      reason: '',
      subjects: [{ kind: 'path', value: '/else\u0007where/a.ts' }],
      always: ['edit *\u001B[1A'],
      diff: '@@ -1 +1 @@\n-old\n+new\n',
    },
    { isColored: true },
  );
  expect(output.written.map(readable).join('')).toBe(
    [
      '‹bold›‹yellow›? edit a␛[2J.ts‹/›‹/›',
      '  /else␇where/a.ts',
      '  ‹cyan›@@ -1 +1 @@‹/›',
      '  ‹red›-old‹/›',
      '  ‹green›+new‹/›',
      '  ‹bold›y‹/›  allow once',
      '  ‹bold›a‹/›  always allow in this project: edit *␛[1A',
      '  ‹bold›n‹/›  deny',
      '  ‹bold›e‹/›  deny with reason',
      '',
    ].join('\n'),
  );
  input.write('n');
  await reply;
});

test('at 40 columns everything that decides is wrapped, and nothing is cut', async () => {
  const command = [
    'cat <<EOF',
    '  two  spaces',
    'x'.repeat(45),
    ...Array.from({ length: 50 }, (_, line) => `line ${line}`),
  ];
  const { input, output, reply } = ask(
    {
      title: 'bash cat <<EOF …',
      subjects: [{ kind: 'command', value: command.join('\n') }],
      always: ['bash: cat *', 'bash: a rather long pattern *'],
    },
    {},
    40,
  );
  const lines = output.text.split('\n');
  expect(lines.slice(0, 8)).toEqual([
    '? bash cat <<EOF …',
    '  No rule allows "git push origin',
    '  main".',
    '  $ cat <<EOF',
    '      two  spaces',
    `    ${'x'.repeat(35)}`,
    `    ${'x'.repeat(10)}`,
    '    line 0',
  ]);
  expect(lines.slice(7, 57)).toEqual(Array.from({ length: 50 }, (_, line) => `    line ${line}`));
  expect(lines.slice(-7)).toEqual([
    '    line 49',
    '  y  allow once',
    '  a  always allow in this project:',
    '     bash: cat *, bash: a rather long',
    '     pattern *',
    '  n  deny',
    '  e  deny with reason',
  ]);
  input.write('y');
  expect(await reply).toBe('once');
  expect(output.text.split('\n').at(-1)).toBe('  → allowed once');
});

const command = (value: string) => ({ kind: 'command' as const, value });

test('every command that is not allowed is listed, also the one that the title ends with', async () => {
  const { input, output, reply } = ask({
    title: 'bash touch asked.txt && rm -rf ../nonexist',
    reason: '',
    command: 'touch asked.txt && rm -rf ../nonexist',
    subjects: [
      command('touch asked.txt'),
      command('rm -rf ../nonexist'),
      { kind: 'path', value: '/elsewhere/nonexist' },
    ],
    always: [],
  });
  expect(output.text).toBe(
    [
      '? bash touch asked.txt && rm -rf ../nonexist',
      '  needs approval:',
      '  $ touch asked.txt',
      '  $ rm -rf ../nonexist',
      '  /elsewhere/nonexist',
      '  y  allow once',
      '  n  deny',
      '  e  deny with reason',
    ].join('\n'),
  );
  input.write('n');
  await reply;
});

test('a command of several lines is shown whole, and then what of it is not allowed', async () => {
  const { input, output, reply } = ask({
    title: 'bash cd src …',
    reason: '',
    command: 'cd src\n  make  all\nrm -rf build\n',
    subjects: [command('rm -rf build')],
  });
  expect(output.text.split('\n').slice(0, 6)).toEqual([
    '? bash cd src …',
    '  $ cd src',
    '      make  all',
    '    rm -rf build',
    '  needs approval:',
    '  $ rm -rf build',
  ]);
  input.write('n');
  await reply;
});

test('of very many commands every one is listed, and those that destroy in red', async () => {
  const subjects = [
    ...Array.from({ length: 30 }, (_, index) => command(`make step${index}`)),
    command('rm -rf /'),
    command('git push --force'),
    command('/bin/dd if=a of=b'),
    command('<unreadable> $X </unreadable>'),
  ];
  const { input, output, reply } = ask(
    { title: 'bash …', reason: '', command: './all', subjects },
    { isColored: true },
  );
  const lines = output.written.map(readable).join('').split('\n');
  expect(lines.slice(3, 32)).toEqual(Array.from({ length: 29 }, (_, index) => `  $ make step${index}`));
  expect(lines.slice(32, 37)).toEqual([
    '  $ make step29',
    '‹red›  $ rm -rf /‹/›',
    '‹red›  $ git push --force‹/›',
    '‹red›  $ /bin/dd if=a of=b‹/›',
    '‹red›  $ <unreadable> $X </unreadable>‹/›',
  ]);
  input.write('n');
  await reply;
});

test('a change is shown to its end, long lines too, and what is deleted, moved or new is called so', async () => {
  const long = Array.from({ length: 60 }, (_, line) => `+line ${line}`);
  const { input, output, reply } = ask(
    {
      title: 'patch README.md and 2 more',
      reason: '',
      subjects: [],
      diff: [
        '--- README.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-read me',
        '--- a.txt\n+++ b.txt',
        `--- /dev/null\n+++ c.txt\n@@ -0,0 +1,62 @@\n${long.join('\n')}\n+${'x'.repeat(50)}\n+end\n`,
      ].join('\n'),
    },
    {},
    40,
  );
  const lines = output.text.split('\n');
  expect(lines.slice(0, 7)).toEqual([
    '? patch README.md and 2 more',
    '  delete README.md',
    '  @@ -1,1 +0,0 @@',
    '  -read me',
    '  move a.txt to b.txt',
    '  new file c.txt',
    '  @@ -0,0 +1,62 @@',
  ]);
  expect(lines.slice(66, 70)).toEqual(['  +line 59', `  +${'x'.repeat(36)}`, `  ${'x'.repeat(14)}`, '  +end']);
  input.write('n');
  await reply;
});

test('the only file is named where it is deleted, and lines that look like the head of a file are shown as lines', async () => {
  const { input, output, reply } = ask({
    title: 'patch a.sql',
    reason: '',
    subjects: [],
    diff: '--- a.sql\n+++ /dev/null\n@@ -1,2 +0,0 @@\n--- old\n-b\n',
  });
  expect(output.text.split('\n').slice(1, 5)).toEqual(['  delete a.sql', '  @@ -1,2 +0,0 @@', '  --- old', '  -b']);
  input.write('n');
  await reply;

  const disguised = ask({
    title: 'edit a.sql',
    reason: '',
    subjects: [],
    diff: '--- a.sql\n+++ a.sql\n@@ -1,1 +1,1 @@\n--- old\n+++ new\n',
  });
  expect(disguised.output.text.split('\n').slice(1, 4)).toEqual(['  @@ -1,1 +1,1 @@', '  --- old', '  +++ new']);
  disguised.input.write('n');
  await disguised.reply;
});

test('what is longer than a terminal keeps is shown page by page, and a yes is taken on the last one only', async () => {
  const long = Array.from({ length: 1200 }, (_, line) => `echo ${line}`).join('\n');
  const { input, output, reply } = ask({
    title: 'bash echo 0 …',
    reason: '',
    command: long,
    subjects: [],
    always: ['bash *'],
  });
  const last = () => output.text.split('\n').slice(-4);
  expect(last()).toEqual(['    echo 498', '  m  more: 701 lines left', '  n  deny', '  e  deny with reason']);
  for (const keys of ['y', 'a', 'm', 'y']) {
    input.write(keys);
    await new Promise(setImmediate);
  }
  await expect
    .poll(last)
    .toEqual(['  m  more: 201 lines left', '  n  deny', '  e  deny with reason', '  Press m, n or e.']);
  input.write('m');
  await expect.poll(() => output.text).toContain('allow once');
  const shown = output.text.split('\n').filter((line) => /^ {2}[ $] echo/.test(line));
  expect(shown.map((line) => line.slice(4)).join('\n')).toBe(long);
  input.write('y');
  expect(await reply).toBe('once');
});

test('every argument and every reason is shown, and what cannot be seen', async () => {
  const { input, output, reply } = ask({
    title: 'bash npm test …',
    reason: 'First.',
    command: 'npm test\r\u001B[2K\nsh\u200B x\u202E\u00A0y',
    fields: [{ label: 'workdir', text: '/etc\nx' }],
    subjects: [
      { ...command('npm test'), reason: 'First.' },
      { ...command('sh x'), reason: 'Second.' },
    ],
  });
  expect(output.text.split('\n').slice(0, 10)).toEqual([
    '? bash npm test …',
    '  First.',
    '  $ npm test␍␛[2K',
    '    sh⟨U+200B⟩ x⟨U+202E⟩⟨U+00A0⟩y',
    '  workdir: /etc',
    '           x',
    '  needs approval:',
    '  $ npm test',
    '  $ sh x',
    '    Second.',
  ]);
  input.write('n');
  await reply;
});
