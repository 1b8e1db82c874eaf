import { isUnreadableCommand, unreadableCommand } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandSubjects, readCommands, type ShellPlace } from './command-subjects.ts';

const place = {
  cwd: '/nowhere/project',
  root: '/nowhere/project',
  home: '/nowhere/ann',
  inherited: new Set(['PATH', 'HOME', 'EXPORTED']),
};

/** `[command]` and `>path`, in the order in which they are told. */
async function told(text: string, more: Partial<ShellPlace> = {}): Promise<string[]> {
  const subjects = await commandSubjects(text, { ...place, ...more });
  return subjects.map(({ kind, value }) => (kind === 'path' ? `>${value}` : value));
}

test('every simple command is told by itself, whatever holds them together [FR-32]', async () => {
  expect(await told('ls -la | grep foo && git   status || make; echo done & wait')).toEqual([
    'ls -la',
    'grep foo',
    'git status',
    'make',
    'echo done',
    'wait',
  ]);
  expect(await told('(a; { b; }) |& c\n! d')).toEqual(['a', 'b', 'c', 'd']);
});

test('commands inside control structures and functions are told [FR-32]', async () => {
  expect(await told('if a; then b; elif c; then d; else e; fi')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await told('for x in $(a); do b; done; while c; do d; done; until e; do f; done')).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
  ]);
  expect(await told('case $(a) in x|$(b)) c;; *) d;; esac')).toEqual(['a', 'b', 'c', 'd']);
  expect(await told('go() { rm x; }; function stop { kill 1; }; go')).toEqual(['rm x', 'kill 1', 'go']);
  expect(await told('for ((i = 0; i < 3; i++)); do b; done')).toEqual(['b']);
  expect(await told('[[ -n $(a) ]] && (( x > 1 )) && [ -f x ] && c')).toEqual(['a', 'c']);
});

test('commands inside words, strings, here-documents and assignments are told [FR-32]', async () => {
  expect(await told('echo "today: $(date +%F)" `whoami`')).toEqual([
    'date +%F',
    'whoami',
    'echo \'today: \'"$(date +%F)" `whoami`',
  ]);
  expect(await told('diff <(a x) >(b y)')).toEqual(['a x', 'b y', 'diff <(a x) >(b y)']);
  expect(await told('cat <<END\nfrom $(hostname) with $(id -u)\nEND\n')).toEqual(['hostname', 'id -u', 'cat']);
  expect(await told("cat <<'END'\n$(not run)\nEND\n")).toEqual(['cat']);
  expect(await told('cat <<END | sort && uniq\nx\nEND\nlast')).toEqual(['sort', 'uniq', 'cat', 'last']);
  expect(await told('out=$(git log); list=(a $(b)); echo ${out:-$(c)} $(( $(date +%s) + 1 ))')).toEqual([
    'git log',
    'b',
    'c',
    'date +%s',
    'echo ${out:-$(c)} $(( $(date +%s) + 1 ))',
  ]);
  expect(await told('wc <<< "$(a)" -l')).toEqual(['a', 'wc -l']);
  expect(await told('export V=$(a); unset V')).toEqual(['a', 'export V=$(a)', 'unset V']);
});

test('a command has one form: one blank between words, and quotes only where they mean something [FR-32]', async () => {
  expect(await told('git \\\n   "status"   --porcelain')).toEqual(['git status --porcelain']);
  expect(await told(`"r"m -rf 'a' b\\ c`)).toEqual(["rm -rf a 'b c'"]);
  expect(await told(`git commit -m "it's done" --author=''`)).toEqual([`git commit -m 'it'\\''s done' --author=`]);
  expect(await told(`echo "" 'a;b' $'plain' $'\\n' *.ts '*.ts' "$X y" $$`)).toEqual([
    `echo '' 'a;b' plain $'\\n' *.ts '*.ts' "$X"' y' $$`,
  ]);
  expect(await told('/usr/bin/git status; /tmp/git status; ./git status')).toEqual([
    'git status',
    '/tmp/git status',
    './git status',
  ]);
});

describe('a command that runs another', () => {
  test('is told as the other where it adds nothing [FR-32]', async () => {
    expect(await told('timeout -k 3 5 npm test')).toEqual(['npm test']);
    expect(await told('nohup nice -n 5 stdbuf -oL make all &')).toEqual(['make all']);
    expect(await told('time -p command exec ls')).toEqual(['ls']);
    expect(await told('nice -- ls; nice -5 pwd; timeout --signal=INT 5 sort x')).toEqual(['ls', 'pwd', 'sort x']);
  });

  test('is told beside the other where it adds something [FR-32]', async () => {
    expect(await told('sudo -u root rm -rf x')).toEqual(['sudo -u root rm -rf x', 'rm -rf x']);
    expect(await told('env -i X=1 make')).toEqual(['env -i X=1 make', 'make']);
    expect(await told('ls | xargs -n 1 -I{} git add {}')).toEqual(['ls', 'xargs -n 1 -I{} git add {}', 'git add {}']);
    expect(await told('find . -name x -exec rm {} \\; -execdir chmod +x {} +')).toEqual([
      "find . -name x -exec rm {} ';' -execdir chmod +x {} +",
      'rm {}',
      'chmod +x {}',
    ]);
    expect(await told('timeout --unknown 5 ls')).toEqual(['timeout --unknown 5 ls', 'ls']);
    for (const wrapper of ['exec -c', 'exec -a git-clean', 'exec -agit-clean', './timeout 5', '../nice', 'sub/nohup'])
      expect(await told(`${wrapper} git status`)).toEqual([`${wrapper} git status`, 'git status']);
    for (const wrapper of ['timeout $X', 'timeout "$X"', 'timeout {5,./evil}', 'timeout *', 'nice -n {5,./evil}'])
      expect(await told(`${wrapper} ls`)).toEqual([`${wrapper} ls`, 'ls']);
    expect(await told('sudo timeout 5 sudo sh -c "rm x"')).toEqual([
      "sudo timeout 5 sudo sh -c 'rm x'",
      "sudo sh -c 'rm x'",
      "sh -c 'rm x'",
      'rm x',
    ]);
  });

  test('is told alone where it only looks something up [FR-32]', async () => {
    expect(await told('command -v git; nohup; find . -name x; exec 2>&1')).toEqual([
      'command -v git',
      'nohup',
      'find . -name x',
      'exec',
    ]);
  });

  test('is read on where it is handed a script [FR-32]', async () => {
    expect(await told(`bash -lc 'cd sub && rm x > y'`)).toEqual([
      "bash -lc 'cd sub && rm x > y'",
      'cd sub',
      'rm x',
      '>sub/y',
    ]);
    expect(await told(`trap 'rm x' EXIT; trap - EXIT; trap`)).toEqual([
      `trap 'rm x' EXIT`,
      'trap - EXIT',
      'trap',
      'rm x',
    ]);
    expect(await told(`trap -- 'rm x' EXIT`)).toEqual([`trap -- 'rm x' EXIT`, 'rm x']);
    expect(await told('set -euo pipefail; shopt -s nullglob; wait $!; read -r -d "" x')).toHaveLength(4);
    expect(await told('cd sub && cat <<E | sort && ls\nx\nE\n')).toHaveLength(4);
    expect(await told(`watch 'ls | wc'`)).toEqual([`watch 'ls | wc'`, `'ls | wc'`, 'ls', 'wc']);
    expect(
      await told('bash script.sh; sh --version; node x.js; python -m pytest; node -e 1; perl -V'),
    ).not.toContainEqual(expect.stringContaining('unreadable'));
  });
});

describe('variables', () => {
  test('in front of a command are told with it, unless they are known to change nothing [FR-32]', async () => {
    expect(await told('NODE_ENV=test CI=1 npm test')).toEqual(['npm test']);
    expect(await told('LD_PRELOAD=./x.so ls')).toEqual(['LD_PRELOAD=./x.so ls', 'ls']);
  });

  test.each([
    'LANGUAGE=en:../../tmp/x/loc',
    'LANGUAGE=en',
    'LC_ALL=../../loc',
    'LANG=/tmp/loc',
    'TZ=:loc/zone',
    'TZ=../loc/zone',
    'TERM=./x/term',
    'LC_MESSAGES=$X',
    'NLSPATH=loc',
    'LOCPATH=loc',
  ])('such as %s lead to files that a program goes by, and are told with it [FR-32]', async (assignment) => {
    expect(await told(`${assignment} ls nope`)).toContain(`${assignment} ls nope`);
    const inherited = new Set([assignment.split('=')[0]!]);
    expect(await told(`${assignment}; ls nope`, { inherited })).toContain(assignment);
  });

  test('that only say how to show are told with it in no usual form [FR-32]', async () => {
    const usual =
      'LC_ALL=C.UTF-8 LANG=de_DE@euro TZ=America/New_York TERM=xterm-256color DEBUG=app:*,-x RUST_LOG=a::b=debug';
    expect(await told(`${usual} ls nope`)).toEqual(['ls nope']);
  });

  test('of the shell are told when they change what runs later [FR-32]', async () => {
    expect(await told('name=1; PATH=./bin:$PATH; EXPORTED=2 other=3; ls $name')).toEqual([
      'PATH=./bin:$PATH',
      'EXPORTED=2',
      'ls $name',
    ]);
    expect(await told('GIT_CONFIG_COUNT=0; GIT_TERMINAL_PROMPT=0; LD_PRELOAD=./x.so; DYLD_X=1; ls')).toEqual([
      'GIT_CONFIG_COUNT=0',
      'LD_PRELOAD=./x.so',
      'DYLD_X=1',
      'ls',
    ]);
  });

  test('that hold a path outside the project tell it [FR-32]', async () => {
    expect(await told('f=/etc/shadow; for g in ../x *.ts; do cat $f $g; done')).toEqual([
      'cat $f $g',
      '>/etc/shadow',
      '>/nowhere/x',
    ]);
  });
});

describe('files', () => {
  test('that a redirect writes are told, inside the project relative to it [FR-32]', async () => {
    expect(await told('a > out.txt 2>> /var/log/x &> ~/y; b >| "sub/z" 2>&1 >/dev/null 1>&- >&log')).toEqual([
      'a',
      'b',
      '>out.txt',
      '>/var/log/x',
      '>/nowhere/ann/y',
      '>sub/z',
      '>log',
    ]);
    expect(await told('> first; a >f b c')).toEqual(['a b c', '>first', '>f']);
    expect(await told('a | tee x > y-$$.log')).toEqual(['a', 'tee x', '>y-$$.log']);
  });

  test('outside the project are told when a file command or a redirect reads them [FR-32]', async () => {
    expect(await told('cat a.txt ../b /etc/passwd "$HOME/c" ~bob/d; sort < /etc/hosts < in')).toEqual([
      'cat a.txt ../b /etc/passwd "$HOME"/c ~bob/d',
      'sort',
      'sort < /etc/hosts < in',
      '>/nowhere/b',
      '>/etc/passwd',
      '>/nowhere/ann/c',
      '>/nowhere/bob/d',
      '>/etc/hosts',
    ]);
    expect(await told('cp -t/etc --backup=/b x; dd of=/dev/sda; rm /var/$X; echo /etc/passwd; ls $X -$Y')).toEqual([
      'cp -t/etc --backup=/b x',
      'dd of=/dev/sda',
      'rm /var/$X',
      'echo /etc/passwd',
      'ls $X -$Y',
      '>/etc',
      '>/b',
      '>/dev/sda',
      '>/var/$X',
    ]);
    expect(await told(`grep '/no/such/place' x; grep x ${tempFolder()}`)).toHaveLength(3);
  });

  test('are looked for where `cd` leads [FR-32]', async () => {
    expect(await told('cd /etc && a > x')).toEqual(['cd /etc', 'a', '>/etc', '>/etc/x']);
    expect(await told('cd sub; a > x')).toEqual(['cd sub', 'a', '>x', '>sub/x']);
    expect(await told('cd sub || a > x')).toEqual(['cd sub', 'a', '>x', '>sub/x']);
    expect(await told('(cd sub && a) > x; cd sub | b > y')).toEqual(['cd sub', 'a', 'b', '>x', '>y']);
    for (const text of ['cd sub && b 2>&1 | c; a > x', 'b | [[ y ]] && cd sub\na > x', 'b | c 2>&1 && cd sub; a > x'])
      expect((await told(text)).filter((each) => each.startsWith('>'))).toEqual(['>x', '>sub/x']);
    expect(await told('if cd sub; then a > x; fi; cd && a > z')).toEqual([
      'cd sub',
      'a',
      'cd',
      '>x',
      '>sub/x',
      '>/nowhere/ann/z',
    ]);
  });

  test('are looked for where they are whatever a loop, a function or a wrapper does [FR-32]', async () => {
    expect(await told('for d in a b; do (cd sub && a > x); done; b > y')).toEqual(['cd sub', 'a', 'b', '>sub/x', '>y']);
    expect(await told('go() { true; }; cd sub && a > x')).toEqual(['true', 'cd sub', 'a', '>sub/x']);
    expect(await told('command cd sub && a > x')).toEqual(['cd sub', 'a', '>sub/x']);
    expect(await told('cd -- sub && a > x')).toEqual(['cd -- sub', 'a', '>sub/x']);
    expect(await told('nice cd sub && a > x; /usr/bin/cd sub && b > y')).toEqual(['cd sub', 'a', 'b', '>x', '>y']);
  });

  test('of a wrapper that runs a command elsewhere are not those of the text [FR-32]', async () => {
    for (const text of ['env -C sub git status', 'sudo --chdir=sub git status', 'find . -execdir git status ;']) {
      const { programs } = await readCommands(text.replace(';', '\\;'), place);
      expect(programs.at(-1)).toEqual({ name: 'git', line: 'git status', folders: undefined });
    }
  });

  test('above a link are told in both places that may be meant [FR-32]', async () => {
    const [root, other] = [realpathSync(tempFolder()), realpathSync(tempFolder())];
    mkdirSync(join(other, 'deep'));
    symlinkSync(join(other, 'deep'), join(root, 'away'));

    expect(await told('cat away/../f; cd away/.. && a > g', { cwd: root, root })).toEqual([
      'cat away/../f',
      'cd away/..',
      'a',
      `>${other}/f`,
      `>${other}`,
      '>g',
      `>${other}/g`,
    ]);
  });

  test('behind a link are told by their name and by where they are [FR-32]', async () => {
    const root = realpathSync(tempFolder());
    const other = realpathSync(tempFolder());
    mkdirSync(join(root, 'real'));
    writeFileSync(join(other, 'secret'), '');
    symlinkSync(other, join(root, 'away'));
    symlinkSync(join(root, 'real'), join(root, 'near'));

    expect(await told('a > near/x; b > away/y; cat away/secret real/z', { cwd: root, root })).toEqual([
      'a',
      'b',
      'cat away/secret real/z',
      '>near/x',
      '>real/x',
      '>away/y',
      `>${other}/y`,
      '>away/secret',
      `>${other}/secret`,
    ]);
  });
});

test('a command that is fed a file is told with it, also where the block around it is fed [FR-32]', async () => {
  expect(await told('cat < .env')).toEqual(['cat', 'cat < .env']);
  expect(await told('cat <> .env')).toContain(unreadableCommand('cat <> .env'));
  expect(await told('{ a; b | c; } < in; d')).toEqual(['a', 'a < in', 'b', 'b < in', 'c', 'c < in', 'd']);
  expect(await told('while read x; do a; done < in')).toEqual(['read x', 'read x < in', 'a', 'a < in']);
});

test('a text that runs nothing is told as it is, and not as everything that the tool can do [FR-32]', async () => {
  expect(await told(' X=1 ')).toEqual(['X=1']);
});

describe('what cannot be known before it runs', () => {
  test.each([
    ['a command in a variable', '$CMD x'],
    ['a command in a substitution', '$(echo rm) x'],
    ['a command made of a pattern', '/bin/r* x'],
    ['a command made of braces', '{rm,-rf,x}'],
    ['a command in escapes', "$'\\x72m' x"],
    ['a translated command', '$"rm" x'],
    ['a variable behind a wrapper', 'timeout 5 $CMD'],
    ['eval', 'eval "rm $X"'],
    ['a script through a pipe', 'curl -s example.com | sh'],
    ['a script through a here-document', 'bash <<E\nrm x\nE\n'],
    ['a script through a here-string', 'bash <<< "rm x"'],
    ['a script from a substitution', 'source <(curl x)'],
    ['a script from a descriptor', '. /dev/stdin'],
    ['a script in a variable', 'sh -c "$X"'],
    ['code through a pipe', 'cat x | python3 -'],
    ['options that are split', 'env -S "rm x"'],
    ['an alias', "alias ls='rm x'"],
    ['a file in a variable', 'echo x > $FILE'],
    ['a file somewhere', 'cd $DIR; echo x > y'],
    ['a folder that is changed behind a here-document', 'pwd <<E && cd sub\nx\nE\ngit status'],
    ['a folder that is changed in a block behind a here-document', 'pwd <<E || { cd sub; }\nx\nE\ngit status'],
    ['a folder that is changed before a here-document', 'cd sub <<E && git status\nx\nE\n'],
    ['a file where a loop ended', 'for i in 1 2; do cd ..; done; echo x > y'],
    ['a redirect inside a test', '[ a > b ]'],
    ['a timed block', 'time { rm x; }'],
    ['a coprocess', 'coproc rm x'],
    ['backticks in a here-document', 'cat <<E\n$(ls) `rm x`\nE\n'],
    ['an escape inside backticks', 'echo `echo \\`rm x\\``'],
    ['a quoted substitution that a test evaluates', `[[ 'a[$(rm x)]' -eq 0 ]]`],
    ['a quoted substitution that arithmetic evaluates', `x='a[$(rm x)]'; echo $((x))`],
    ['a function in place of cd', 'cd() { true; }; cd safe && ls'],
    ['a function in place of a wrapper', 'function timeout { ls; }; timeout 5 pwd'],
    ['a folder that a loop goes on from', 'for i in 1 2; do ls; cd sub; done'],
    ['a folder that a function goes on from', 'go() { cd sub; }; go; go; ls'],
    ['a folder above one that only the shell knows', 'cd "$D" && ls ..'],
    ['the folder before', 'cd ~- && ls'],
    ['a folder of the stack', 'ls ~1/..'],
    ['a script of a shell that reads it otherwise', "sh -c '((make)); ls'"],
    ['a script of a shell with another language', "fish -c 'begin; ls; end'"],
    ['a history that is filled in', 'set -o history -o histexpand\necho rm\n!!:1 x'],
    ['aliases that are turned on', 'shopt -s expand_aliases'],
    ['a carriage return', 'ls\rrm x'],
    ['an invisible blank', 'ls\u00a0x'],
    ['an open quote', 'echo "abc'],
    ['an open block', 'if true; then ls'],
    ['a name that no variable can have', 'é=$(ls)x rm'],
    ['a text that is nested without end', `${'$('.repeat(150)}ls${')'.repeat(150)}`],
  ])('%s makes the whole text one subject [FR-32]', async (_, text) => {
    expect((await commandSubjects(text, place))[0]).toEqual({ kind: 'command', value: unreadableCommand(text) });
  });

  test.each([
    '((make)); ls',
    'if ! ((make)); then ls; fi',
    '[[ x || make ]]; ls',
    '[[ a > b ]]',
    "cd $'x' && ls",
    'ls &> f',
  ])('%s is another text to a shell that is not bash [FR-32]', async (text) => {
    expect((await told(text))[0]).not.toSatisfy(isUnreadableCommand);
    expect((await told(text, { isOtherShell: true }))[0]).toBe(unreadableCommand(text));
  });

  test('does not hide what is known [FR-32]', async () => {
    expect(await told('rm -rf x; eval "git push"; $CMD; if')).toEqual([
      unreadableCommand('rm -rf x; eval "git push"; $CMD; if'),
      'rm -rf x',
      "eval 'git push'",
      '$CMD',
      'git push',
    ]);
  });

  test('is marked at both ends, so that no rule for a beginning or an end matches it [FR-32]', () => {
    expect(unreadableCommand(' $X --version\n')).toBe('<unreadable> $X --version </unreadable>');
    expect(isUnreadableCommand(unreadableCommand('$X'))).toBe(true);
    expect(isUnreadableCommand('git status')).toBe(false);
  });
});

const numbered = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('');

test.each([
  ['10,001 characters', `echo ${'x'.repeat(9_996)}`],
  ['201 commands', numbered(201, (at) => `a${at};`)],
  ['201 commands in a script', `bash -c "${numbered(201, (at) => `a${at};`)}"`],
  ['scripts in scripts', `${'watch '.repeat(30)}'a b'`],
  ['1,001 words', numbered(1_001, () => 'a ')],
  ['wrappers in wrappers', `${'env '.repeat(60)}ls`],
  ['201 redirects', numbered(201, () => '>f ')],
  ['1,001 assignments', numbered(1_001, () => 'A=1 ')],
  ['1,000 characters that are no shell', `${'A=('.repeat(333)}aa`],
  ['101 patterns', `ls ${'x* '.repeat(101)}`],
  ['braces that make 101 patterns', 'ls {a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}*'],
])('a text with %s is one command that nobody has read', async (_, text) => {
  expect(await readCommands(text, place)).toEqual({
    subjects: [{ kind: 'command', value: unreadableCommand(text), isUnread: true }],
    touched: [],
    programs: [],
  });
});

test('a text up to the limits is read', async () => {
  const texts = [
    `echo ${'x'.repeat(9_995)}`,
    numbered(200, (at) => `a${at};`),
    numbered(1_000, () => 'a '),
    `ls ${'x* '.repeat(100)}`,
    `cat <<'E'\n${"$( 'x' \"y\n".repeat(500)}E\n`,
  ];
  for (const text of texts) {
    const { subjects } = await readCommands(text, place);
    expect(subjects.some(({ isUnread }) => isUnread === true)).toBe(false);
  }
});

test('a pattern that leads through a link to where it stands is given up', async () => {
  const root = tempFolder();
  for (const name of ['a', 'b', 'c', 'd']) symlinkSync('.', join(root, name));
  const { subjects } = await readCommands('ls */*/*/*/*/*', { ...place, cwd: root, root });
  expect(subjects).toEqual([{ kind: 'command', value: unreadableCommand('ls */*/*/*/*/*'), isUnread: true }]);
});
