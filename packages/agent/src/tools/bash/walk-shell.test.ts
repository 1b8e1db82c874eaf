import { isUnreadableCommand } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandSubjects } from './command-subjects.ts';
import { findShell } from './find-shell.ts';
import { GroupGuard } from './group-guard.ts';
import { OutputKeeper } from './output-keeper.ts';
import { runCommand } from './run-command.ts';

const place = { cwd: '/project/sub', root: '/project', home: '/home/ann', inherited: new Set<string>() };

const command = fc.constantFrom('ls -la', 'git status', 'rm -rf build', 'npm run test', "echo 'a b'", 'make', 'true');
const separator = fc.constantFrom('; ', ' && ', ' || ', ' | ', ' |& ', ' & ', '\n', ' ;\\\n', ' # note\n', ' &&\n');
const frame = fc.constantFrom(
  (text: string) => text,
  (text: string) => `( ${text} )`,
  (text: string) => `{ ${text}\n}`,
  (text: string) => `echo "$( ${text} )"`,
  (text: string) => `cat <( ${text} )`,
  (text: string) => `if ${text}\nthen :; fi`,
  (text: string) => `for x in 1 2; do ${text}\ndone`,
  (text: string) => `f() { ${text}\n}`,
  (text: string) => `cat <<E\n$( ${text} )\nE\n`,
  (text: string) => `V=$( ${text} ) sort`,
);

test('of commands that are joined and nested in any way, each is told, or the text was called unreadable [FR-32]', async () => {
  const texts = fc
    .tuple(
      fc.array(fc.tuple(command, separator), { minLength: 1, maxLength: 6 }),
      command,
      fc.array(frame, { maxLength: 3 }),
    )
    .map(([joined, last, frames]) => {
      const commands = [...joined.map(([each]) => each), last];
      const line = joined.map(([each, by]) => each + by).join('') + last;
      return { commands, text: frames.reduce((inner, around) => around(inner), line) };
    });

  let unreadable = 0;
  await fc.assert(
    fc.asyncProperty(texts, async ({ commands, text }) => {
      const told = (await commandSubjects(text, place)).map(({ value }) => value);
      const isUnreadable = told.some(isUnreadableCommand);
      if (isUnreadable) unreadable += 1;
      expect(told).toEqual(expect.arrayContaining(isUnreadable ? [] : commands));
    }),
    { seed: 5, numRuns: 300 },
  );
  // The grammar joins two lines into one command here and there, which is noticed.
  expect(unreadable).toBeLessThan(10);
});

/** Shell texts of commands that do not exist, in every way in which one command can stand in another. */
const { statement } = fc.letrec<{ word: string; simple: string; statement: string }>((tie) => ({
  word: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'a',
      '"b c"',
      "'d'",
      '$x',
      'e\\ f',
      '{g,h}',
      "'$(c9)'",
      '"`c1`"',
      '\\$\\(c9\\)',
      '#i',
      'j#k',
      '\\\n',
    ),
    tie('statement').map((inner) => `$(${inner}\n)`),
    tie('statement').map((inner) => `"$(${inner}\n)"`),
    tie('statement').map((inner) => `<(${inner}\n)`),
    tie('statement').map((inner) => `\${y:-$(${inner}\n)}`),
  ),
  simple: fc
    .tuple(
      fc.constantFrom('', '', '', 'v=1 ', 'v=$(c5) ', '>f0 ', '! ', 'command ', 'exec '),
      fc.constantFrom('c1', 'c2', '"c3"', "c'4'", 'c\\5', 'echo', '$x', ':', '[ -n', 'export w='),
      fc.array(tie('word'), { maxLength: 3 }),
      fc.constantFrom(
        '',
        '',
        '',
        ' >f1',
        ' 2>&1',
        ' >>f2 z',
        ' </dev/null',
        ' <<E\nt $(c6)\nE\n',
        " <<'E'\n$(c9)\nE\n",
        ' <<E | c7\nt\nE\n',
        ' # $(c9)',
        ' <<< "$(c8)"',
      ),
    )
    .map(
      ([before, name, words, after]) => `${before}${[name, ...words].join(' ')}${name === '[ -n' ? ' ]' : ''}${after}`,
    ),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('simple'),
    tie('simple'),
    fc
      .tuple(tie('statement'), fc.constantFrom('\n', ' && ', ' || ', ' | ', '; ', ' & '), tie('statement'))
      .map((parts) => parts.join('')),
    tie('statement').map((inner) => `(${inner}\n)`),
    tie('statement').map((inner) => `{ ${inner}\n} >f3`),
    fc.tuple(tie('statement'), tie('statement')).map(([one, two]) => `if ${one}\nthen ${two}\nfi`),
    tie('statement').map((inner) => `for v in 1 $x; do ${inner}\ndone`),
    tie('statement').map((inner) => `case a in b) c1;; *) ${inner}\n;; esac`),
  ),
}));

test('whatever a real shell runs or writes was told, or the text was called unreadable [FR-32]', async () => {
  const folder = tempFolder();
  const texts = fc.sample(statement, { seed: 11, numRuns: 200 });
  const ran = await runAll(texts, folder);

  let readable = 0;
  for (const [index, text] of texts.entries()) {
    const subjects = await commandSubjects(text, place);
    if (subjects.some(({ value }) => isUnreadableCommand(value))) continue;
    readable += 1;
    const names = subjects.flatMap(({ kind, value }) => (kind === 'command' ? [value.split(' ', 1)[0]!] : []));
    const files = subjects.flatMap(({ kind, value }) => (kind === 'path' ? [value] : []));
    for (const name of ran[index]!.commands)
      expect({ text, names }).toEqual({ text, names: expect.arrayContaining([name]) });
    for (const file of ran[index]!.files)
      expect({ text, files }).toEqual({ text, files: expect.arrayContaining([`sub/${file}`]) });
  }
  expect(readable).toBeGreaterThan(40);
});

/** Runs each text in a shell that has no commands, and notes which it looked for, and which files it made. */
async function runAll(texts: readonly string[], folder: string) {
  const script = `
    command_not_found_handle() { printf '%s\\n' "$1" >&9; [[ $1 != c2 ]]; }
    export -f command_not_found_handle
    export x=v
    number=0
    PATH=/nowhere
    while IFS= read -r -d '' text; do
      exec 9>$number.log; cd $((number++))
      ( eval "$text" ) </dev/null >/dev/null 2>&1
      wait
      for file in f*; do [[ -e $file ]] && printf '>%s\\n' "$file" >&9; done
      cd ..
    done < texts`;
  for (const index of texts.keys()) mkdirSync(join(folder, String(index)));
  writeFileSync(join(folder, 'texts'), texts.map((text) => `${text}\0`).join(''));
  const output = new OutputKeeper({ folder, name: 'output' });
  const start = { argv: [findShell(), '-c', script], cwd: folder, env: {}, output, guard: new GroupGuard() };
  await runCommand(start, {
    timeoutMs: 240_000,
    abort: new AbortController().signal,
    graceMs: 100,
    onPreview: () => {},
  });
  return texts.map((_, index) => {
    const lines = readFileSync(join(folder, `${index}.log`), 'utf8').split('\n');
    return {
      commands: lines.filter((line) => /^[^>]/.test(line)),
      files: lines.filter((line) => line.startsWith('>')).map((line) => line.slice(1)),
    };
  });
}
