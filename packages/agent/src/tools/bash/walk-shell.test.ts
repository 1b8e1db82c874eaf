import { isUnreadableCommand, type PermissionSubject } from '@dragoman/protocol';
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
  // In a here-document a joined line may be the end of it.
  expect(unreadable).toBeLessThan(15);
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

  expect(await expectToldAll(texts, folder)).toBeGreaterThan(40);
});

/** Signs that mean one thing or another by where they stand. `c9` stands in each way to run something. */
const tricks = [
  '\\\n',
  '\\',
  '#',
  ' #',
  ' ',
  '\n',
  ';',
  '"',
  "'",
  '`',
  '$(',
  ')',
  '${B:-',
  '${x/a/',
  '}',
  '<<E\n',
  '\nE\n',
  "<<'E'\n",
  '<<-E\n',
  '\n\tE\n',
  '((',
  '))',
  '$((',
  '[[ ',
  ' ]]',
  '[ ',
  ' ]',
  'A=',
  'A=(',
  '(',
  '>&1',
  '>f2 ',
  '<(',
  '>(',
  '$',
  '{ ',
  '; }',
  '&&',
  '||',
  '|',
  '&',
  '&>',
  '2',
  'case x in ',
  '*)',
  ';;',
  "$'",
  '$"',
  'à',
  '! ',
  'if ',
  'then ',
  'fi',
  'do ',
  'done',
  'for i in ',
  'g() ',
  'c9',
  ';c9;',
  '\nc9\n',
  '$(c9)',
  '`c9`',
  'c9)',
  "'$(c9)'",
  '-v ',
  'a[$(c9)]',
  '+=',
  'OPTIND=',
  '-eq ',
  '@(',
  '|&',
  '<<<',
  '\\\n#',
  '$\\\n(c9)',
  '${B:-`c9`}',
  "${B:-'$(c9)'}",
];
const ordinary = [
  'pwd',
  'c1 x',
  'c1 && c2 b',
  'echo "a $x b"',
  "echo 'a b' c",
  'A=1 c1',
  'A=(1 2)',
  'pwd <<E\nbody $x\nE\npwd',
  "pwd <<'E'\nbody\nE\npwd",
  'pwd <<< a',
  'pwd 2>&1',
  'c1 | c2',
  '! pwd',
  '[ -f x ] && pwd',
  '[[ $x == y ]] && pwd',
  'for i in 1 2; do pwd; done',
  'if pwd; then c1; fi',
  'case $x in a) c1;; *) pwd;; esac',
  'f() { pwd; }; f',
  '(cd /; pwd)',
  '{ pwd; c1; }',
  'echo $(c2 b) c',
  'echo "$(c2 b)"',
  'echo `c2 b`',
  'echo ${x:-y} "${x%v}"',
  'echo $((1 + 2))',
  '((n++))',
  'pwd # note',
  'pwd \\\n  -L',
  'echo a\\ b',
  "echo $'a\\n'",
  'cat <(c1)',
  'echo a >f1 b',
];

test('whatever signs are put into a shell text, what a real shell then runs or writes was told [FR-32]', async () => {
  const trick = fc.tuple(fc.constantFrom(...tricks), fc.nat(200));
  const texts = fc.sample(
    fc
      .tuple(
        fc.array(fc.constantFrom(...ordinary), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('; ', ' && ', '\n', ' | '),
        fc.array(trick, { minLength: 1, maxLength: 4 }),
      )
      .map(([lines, by, inserted]) =>
        inserted.reduce((text, [signs, at]) => {
          const split = at % (text.length + 1);
          return text.slice(0, split) + signs + text.slice(split);
        }, lines.join(by)),
      ),
    { seed: 3, numRuns: 1000 },
  );

  expect(await expectToldAll(texts, tempFolder())).toBeGreaterThan(100);
});

test.each([
  'echo a',
  'git status',
  'cd sub',
  'pwd 2>&1',
  'echo a >/dev/null',
  'A=1',
  'A=(1)',
  'A=$B',
  "A='x'",
  'pwd <<<a',
  'pwd | ls',
  '! pwd',
  'time pwd',
])('%s and a line that goes on with # is no comment, so it cannot be read [FR-32]', async (text) => {
  expect(await hides(`${text}\\\n#b; c9`)).toBe(true);
});

test.each([
  'pwd <<DE\nD\\\nE\nc9\nDE',
  'A=${B:-`c9`}; pwd',
  `A="\${B:-'$(c9)'}"; pwd`,
  'A=${x/v/`c9`}; pwd',
  'A=${x%`c9`}; pwd',
  'A=${B:-<(c9)}; pwd',
  `A="\${B:-$'$(c9)'}"; pwd`,
  `A="\${x+'$(c9)'}"; pwd`,
  `A="\${B='$(c9)'}"; pwd`,
  'A="${B:-${C:-`c9`}}"; pwd',
  'A=${B:- #`c9`}; pwd',
  'case ${B:-`c9`} in x) pwd;; esac',
  'for i in ${B:-`c9`}; do pwd; done',
  'pwd <<< ${B:-`c9`}',
  'B="$\\\n(c9)"; pwd',
  'case "$\\\n(c9)" in x) pwd;; esac',
  '[[ "$\\\n(c9)" ]]; pwd',
  '[ "$\\\n(c9)" ]; pwd',
  `A='a[$(c9)]'; B="$\\\n((A))"; pwd`,
  "OPTIND='a[$(c9)]'; pwd",
  "for OPTIND in 'a[$(c9)]'; do pwd; done",
  "RANDOM+='a[$(c9)]'; pwd",
  `A='a[$'; A+='(c9)]'; [ "-v" "$A" ]; pwd`,
  `A=-v; B='a[$'; B+='(c9)]'; [ $A "$B" ]; pwd`,
  `B='a[$'; B+='(c9)]'; test -v "$B"`,
  `B='a[$'; B+='(c9)]'; f() { test "$@"; }; f -v "$B"`,
  `B='a[$'; B+='(c9)]'; read "$B" <<< 1`,
  `B='a[$'; B+='(c9)]'; printf {-v,"$B"} 1`,
  `B='a[$'; B+='(c9)]'; declare "$B=1"`,
  `read 'a[$''(c9)]' <<< 1`,
  "PS4='$(c9)'; set -x; pwd",
  "for PS4 in '$(c9)'; do set -x; pwd; done",
  'mapfile -C c9 -c 1 x <<< a',
  'compgen -C c9',
  'jobs -x c9 x',
])('%s runs what the grammar does not see, so it cannot be read [FR-32]', async (text) => {
  expect(await hides(text)).toBe(true);
});

test.each([
  'docker run --rm \\\n  -v "$PWD":/x \\\n  image',
  `git commit -m "$(cat <<'EOF'\nfix: it's done\n\nbody\nEOF\n)"`,
  "cat > a.txt <<'EOF'\nhello `x` \\\n$(y)\nEOF\ngit add a.txt",
  'cat <<EOF\nhi $USER \\$x $(date)\nEOF\n',
  'kill -9 $(lsof -ti:3000)',
  'while read -r line; do echo "$line"; done < in.txt',
  'find . -name "*.ts" -exec grep -l "a\\|b$" {} \\;',
  '[ -z "$x" ] && [ "$a" = "$b" ] || ls # nothing to do\npwd',
  'echo "${x:-default value}" ${x##*/} ${y%.ts} größe "ü"',
  'list=(a b); mkdir -p {a,b}/c; echo "${list[@]}" &> log',
])('%s is what people write, and can be read [FR-32]', async (text) => {
  expect((await commandSubjects(text, place)).map(({ value }) => value).filter(isUnreadableCommand)).toEqual([]);
});

/** Whether a real shell runs `c9` here, and the text is called unreadable. */
async function hides(text: string): Promise<boolean> {
  const [ran] = await runAll([text], tempFolder());
  return ran!.commands.includes('c9') && isUnreadableCommand((await commandSubjects(text, place))[0]!.value);
}

/** How many of the texts can be read. Of those a real shell runs and writes nothing that was not told. */
async function expectToldAll(texts: readonly string[], folder: string): Promise<number> {
  const told: { text: string; subjects: PermissionSubject[] }[] = [];
  for (const text of texts) {
    const subjects = await commandSubjects(text, place);
    if (!subjects.some(({ value }) => isUnreadableCommand(value))) told.push({ text, subjects });
  }
  const ran = await runAll(
    told.map(({ text }) => text),
    folder,
  );
  for (const [index, { text, subjects }] of told.entries()) {
    const names = subjects.flatMap(({ kind, value }) => (kind === 'command' ? [value.split(' ', 1)[0]!] : []));
    const files = subjects.flatMap(({ kind, value }) => (kind === 'path' ? [value] : []));
    for (const name of ran[index]!.commands.filter((each) => /^c\d$/.test(each)))
      expect({ text, names }).toEqual({ text, names: expect.arrayContaining([name]) });
    for (const file of ran[index]!.files)
      expect({ text, files }).toEqual({ text, files: expect.arrayContaining([`sub/${file}`]) });
  }
  return told.length;
}

/**
 * Runs each text in a shell that has no commands, and notes which it looked for, and which files it made.
 *
 * A shell does not wait for what runs in `<(c9)`. But that process keeps the pipe open on which commands are reported, so the
 * script waits for the end of the pipe.
 */
async function runAll(texts: readonly string[], folder: string) {
  const script = `
    command_not_found_handle() { printf '%s\\n' "$1" >&9; [[ $1 != c2 ]]; }
    export -f command_not_found_handle
    export x=v
    number=0
    PATH=/nowhere
    while IFS= read -r -d '' text; do
      exec 9> >(while IFS= read -r line; do printf '%s\\n' "$line"; done >$number.log)
      reader=$!
      cd $number
      ( eval "$text" ) </dev/null >/dev/null 2>&1
      exec 9>&-
      wait $reader
      for file in f*; do [[ -e $file ]] && printf '>%s\\n' "$file"; done >>../$number.log
      cd ..
      ((number++))
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
