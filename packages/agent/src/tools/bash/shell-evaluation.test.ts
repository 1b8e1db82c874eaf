import { isUnreadableCommand } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandSubjects } from './command-subjects.ts';
import { findShell } from './find-shell.ts';

const place = { cwd: '/project', root: '/project', home: '/home/ann', inherited: new Set(['PATH']) };

async function told(text: string): Promise<string[]> {
  return (await commandSubjects(text, place)).map(({ value }) => value);
}

/** What a real shell prints in a folder of its own. */
function ran(text: string, folder = tempFolder()): string {
  return execFileSync(findShell(), ['-c', text], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

test.each([
  'PATH=5',
  'PATH+=5',
  'PATH[0]=5',
  'PATH=(5)',
  'for PATH in 5; do pwd; done',
  'select PATH in 5; do break; done <<< 1',
  'for ((PATH=5; PATH<6; PATH++)); do :; done',
  'for ((i=(PATH=5); i<6; i++)); do :; done',
  '((PATH=5))',
  '(( x = 1, PATH = 5 ))',
  '! ((PATH=5))',
  'if ((PATH=5)); then pwd; fi',
  'A=$((PATH=5))',
  'A="$((1 + (PATH = 5)))"',
  'A=$[PATH=5]',
  'A=$(("PATH"=5))',
  'A[PATH=5]=1',
  'A["PATH=5"]=1',
  'A=([PATH=5]=1)',
  'A=(1); B=${A[PATH=5]}',
  'A=(1); B=${#A[PATH=5]}',
  'X=abc; A=${X:(PATH=5):1}',
  'X=abc; A=${X:0:(PATH=5)}',
  'X=PATH=5; A=$((X))',
  'X=PATH; ((X=5, $X=5))',
  'X=PATH=5; [[ X -eq 5 ]]',
  'X=PATH=5; [[ $X -eq 5 ]]',
  '[[ PATH=5 -eq 5 ]]',
  '[[ a == b || ! PATH=5 -lt 5 ]]',
  'A=(1); [[ -v A[PATH=5] ]]',
  "A=(1); [ -v 'A[PATH=5]' ]",
  'unset -v PATH; A=${PATH:=5}',
  'unset -v PATH; A=${PATH=5}',
  'unset -v PATH; A="x${Y:-${PATH:=5}}"',
  'unset -v PATH; X=PATH; A=${!X:=5}',
  'echo x {PATH}>/dev/null',
  ': {PATH}</dev/null',
  'exec {PATH}>/dev/null',
  ': {PATH[0]}>/dev/null',
  'A=(0); : {PATH[A[0]]}>/dev/null',
  'A=(0); unset -v PATH; B=${PATH[A[0]]:=5}',
  'A=(1); B=${A[0]:(PATH=5)}',
  'read PATH <<< 5',
  'mapfile PATH <<< 5',
  'printf -v PATH 5',
  'getopts x PATH -x',
  'declare PATH=5',
  'export PATH=5',
  'readonly PATH=5',
  'declare -n R=PATH; R=5',
  'declare -i N; N=PATH=5',
  'let PATH=5',
  "let 'PATH = 5'",
  'unset PATH',
  ': x <<E\n$((PATH=5))\nE\n',
])('%s changes the search path, so the text is not told as the command behind it alone', async (text) => {
  const path = process.env['PATH']!;
  expect(ran(`${text} >/dev/null\nprintf '\\n%s' "$PATH"`).split('\n').at(-1)).not.toBe(path);

  const subjects = await told(`${text}\nls`);

  expect(subjects.filter((value) => !/^(ls|pwd|:|: x|break)$/.test(value))).not.toEqual([]);
});

test.each([
  'A=$((X))',
  'A=$(($X + 1))',
  'A=$(( $(cat file) ))',
  '((X))',
  '((X > 1))',
  'A[X]=1',
  'A[$X]=1',
  'A=([X]=1)',
  'A=${B[X]}',
  'A=${B:X}',
  'A=${!X}',
  'A=${Y@P}',
  '[[ X -eq 1 ]]',
  '[[ $X -gt 1 ]]',
  '[[ -v $X ]]',
  '[ -v "$X" ]',
  'for ((i=X; i<1; i++)); do :; done',
  'f() { A=$(($1)); }; f "$X"',
])('%s runs what stands in a file, so it cannot be read', async (text) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), 'a[$(touch mark)]');
  writeFileSync(join(folder, 'prompt'), '$(touch mark)');
  const whole = `X=$(cat file); Y=$(cat prompt); B=(1 2); ${text}; true`;
  ran(whole, folder);
  expect(existsSync(join(folder, 'mark'))).toBe(true);

  expect((await told(whole))[0]).toSatisfy(isUnreadableCommand);
});

test.each([
  'for i in 1 2 3; do echo $((i * 2)); done',
  'for i in {1..5} $(seq 1 3); do echo "$((i + 1))"; done',
  'for ((i = 0; i < 3; i++)); do echo $i; done',
  'n=0; while ((n < 3)); do ((n++)); done',
  'n=$(ls | wc -l); [[ $n -gt 5 ]] && echo many',
  'start=$(date +%s); ls; echo $(( $(date +%s) - start ))',
  'name=abc; echo ${#name} ${name:0:2} ${name%c} ${name/a/b} ${other:-x}',
  'list=(a b); echo "${list[0]}" "${list[@]}" "${#list[@]}" "${!list[@]}"',
  'x=$(cat file); [[ $x == y && -n $x ]] && [ "$x" -eq 1 ] && ls',
  'for f in *.ts; do wc -l "$f"; done',
  'if [ -f package.json ]; then ls; fi',
  '[[ -v HOME ]] && ls',
])('%s is ordinary and can be read', async (text) => {
  expect((await told(text)).filter(isUnreadableCommand)).toEqual([]);
});
