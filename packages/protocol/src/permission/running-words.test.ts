import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePermissions } from './compile-permissions.ts';
import { rulesFromConfig } from './permissions-config.ts';
import { runningWords } from './running-words.ts';
import { unreadableCommand } from './unreadable-command.ts';

const decide = (command: string, bash: Record<string, 'allow' | 'deny'>) =>
  compilePermissions(rulesFromConfig({ bash }, 'dragoman.json')).decide({
    tool: 'bash',
    subjects: [{ kind: 'command', value: command }],
  });

test.each([
  ['git -c core.pager="sh -c id" -p log', ['-c', '-p']],
  ['git -c core.fsmonitor=id status', ['-c']],
  ['git "-c" core.fsmonitor=id status', ['-c']],
  ['git --config-env=core.pager=X log', ['--config-env']],
  ['git --exec-path=. status', ['--exec-path']],
  ['git --paginate log', ['--paginate']],
  ['git --git-dir=docs/sub status', ['--git-dir']],
  ['git grep -O"sh -c id" x', ['-O']],
  ['git grep -nO x', ['-nO']],
  ['git grep --open-files-in-pager=id x', ['--open-files-in-pager']],
  ['git grep --open=id x', ['--open']],
  ['git difftool -x id', ['difftool']],
  ['git mergetool', ['mergetool']],
  ['git bisect run sh -c id', ['run']],
  ['git bisect visualize', ['visualize']],
  ['git rebase -x id main', ['-x']],
  ['git rebase -ix id main', ['-ix']],
  ['git rebase --exec=id main', ['--exec']],
  ['git config core.pager id', ['core.pager']],
  ['git config --global alias.x !id', ['alias.x']],
  ['git config set core.hooksPath x', ['core.hooksPath']],
  ['git config include.path ../x', ['include.path']],
  ['git config -e', ['config']],
  ['git config core.hooksPath get', ['core.hooksPath']],
  ['git config core.hooksPath list', ['core.hooksPath']],
  ['git config core.hooksPath -l', ['core.hooksPath']],
  ['git config --comment get core.hooksPath x', ['core.hooksPath']],
  ['git config --comment --get core.hooksPath x', ['core.hooksPath']],
  ['git config --comment user.name core.hooksPath x', ['core.hooksPath']],
  ['git config -f color.ui/../.git/config core.pager id', ['-f']],
  ['git config --file=.git/config user.name x', ['--file=.git/config']],
  ['git config --rename-section branch.x core', ['--rename-section']],
  ['git config rename-section branch.x core', ['rename-section']],
  ['git config --remove-section core', ['--remove-section']],
  ['git config branch.x.fsmonitor id', ['branch.x.fsmonitor']],
  ['git config branch.main.remote ./docs/sub', ['branch.main.remote']],
  ['git config branch.main.pushRemote docs', ['branch.main.pushRemote']],
  ['git --work-tree=.git/hooks checkout HEAD -- pre-commit', ['--work-tree']],
  ['git --work-tree .git/hooks checkout HEAD -- pre-commit', ['--work-tree']],
  ['git --bare -C docs/sub fetch', ['--bare']],
  ['git checkout-index -f --prefix=.git/hooks/ pre-commit', ['--prefix']],
  ['git checkout-index --pre .git/hooks/ pre-commit', ['--pre']],
  ['git archive -o .git/hooks/x HEAD', ['-o']],
  ['git archive --output=.git/hooks/x HEAD', ['--output']],
  ['git bundle create .git/x --all', ['create']],
  ['git apply --unsafe-paths --directory=.git x.patch', ['--unsafe-paths']],
  ['git read-tree --index-output=.git/x HEAD', ['--index-output']],
  ['git push ./docs/sub HEAD:refs/heads/y', ['./docs/sub']],
  ['git push docs', ['docs']],
  ['git push "-o" origin docs', ['docs']],
  ['git push -oo docs origin', ['-oo']],
  ['git push -fo origin docs', ['-fo']],
  ['git push --push-opt origin docs', ['--push-opt']],
  ['git push -- "docs"', ['docs']],
  ['git push -f -o x upstream main', ['upstream']],
  ['git push --repo=docs/sub', ['--repo']],
  ['git push file:///tmp/x HEAD', ['file:///tmp/x']],
  ['git remote add origin docs/sub', ['add']],
  ['git remote set-url origin docs/sub', ['set-url']],
  ['git remote rename x origin', ['rename']],
  ['git diff --no-index /dev/null .env', ['--no-index']],
  ['git blame --contents .env a', ['--contents']],
  ['git blame --ignore-revs-file=.env a', ['--ignore-revs-file']],
  ['git add --pathspec-from-file=.env', ['--pathspec-from-file']],
  ['git log --stdin', ['--stdin']],
  ['git rev-parse --parseopt', ['--parseopt']],
  ['git bisect replay x', ['replay']],
  ['git submodule foreach id', ['foreach']],
  ['git submodule --quiet foreach id', ['foreach']],
  ['git fetch --upload-pack=id .', ['--upload-pack']],
  ['git fetch --upl=id .', ['--upl']],
  ['git push --receive-pack id .', ['--receive-pack', 'id']],
  ['git archive --remote=. --exec=id HEAD', ['--exec']],
  ['git clone ext::id x', ['ext::id']],
  ["git clone 'ext::sh -c id' x", ["'ext::sh -c id'"]],
  ['git clone -c core.fsmonitor=id a b', ['-c']],
  ['git clone --config core.fsmonitor=id a b', ['--config']],
  ['git clone --template=x a b', ['--template']],
  ['git clone -u id a b', ['-u']],
  ['git init --template=x', ['--template']],
  ['git pull ext::id', ['ext::id']],
  ['git remote add x ext::id', ['add', 'ext::id']],
  ['git ls-remote fd::3', ['fd::3']],
  ['git archive --remote=ext::id HEAD', ['--remote=ext::id']],
  ['git diff --ext-diff', ['--ext-diff']],
  ['git log --output=.git/hooks/pre-commit', ['--output']],
  ['git log --help', ['--help']],
  ['git status --help', ['--help']],
  ['git filter-branch --tree-filter id', ['filter-branch']],
  ['git send-email --smtp-server=./id x', ['send-email']],
  ['git merge-index ./id -a', ['merge-index']],
  ['git hook run x', ['hook']],
  ['git st', ['st']],
  ['git tools/x', ['tools/x']],
  ['git $X', ['$X']],
  ['git log "$X"', ['"$X"']],
  ['git grep {-Oid,x}', ['{-Oid,x}']],
  ['git grep x *', ['*']],
  ['GIT_SSH_COMMAND=id git fetch', ['GIT_SSH_COMMAND=']],
  ['LD_PRELOAD=./x.so ls --version', ['LD_PRELOAD=']],
])('%s can run another program by %j, so a wildcard does not allow it', (command, expected) => {
  expect(runningWords(command)).toEqual(expected);
  expect(decide(command, { 'git *': 'allow', '* --version': 'allow', '*git*': 'allow' })).toMatchObject({
    action: 'ask',
    reason: expect.stringMatching(/^Asks because ".+" can (run another program|show any file)\.$/),
  });
  expect(decide(command, { '*': 'allow' }).action).toBe('allow');
  expect(decide(command, { [command.replaceAll(/[*?]|\[/g, '[$&]')]: 'allow' }).action).toBe('allow');
});

test.each([
  'git status',
  'git add *',
  'git commit -m "$MESSAGE"',
  'git commit -m "run --exec"',
  'git log --oneline -5 -- --output',
  'git log --format=%h::%s',
  'git grep foo src',
  'git push',
  'git push origin main',
  'git push -u origin x --force-with-lease',
  'git push -o ci.skip origin main',
  'git remote -v',
  'git remote show origin',
  'git bundle verify x',
  'git archive HEAD',
  'git hash-object --stdin',
  'git config branch.main.rebase true',
  'git config --global --get user.name',
  'git config -l',
  'git config get core.pager',
  'git fetch --all --prune',
  'git rebase --onto main a b',
  'git rebase -Xours main',
  'git config user.name Ada',
  'git config --get core.pager',
  'git config --list',
  'git clone https://example.com/a.git',
  'git submodule update --init',
  'git -C packages status',
  'git --no-pager log',
  'git checkout -b x',
  'git bisect good',
])('%s is allowed by "git *"', (command) => {
  expect(runningWords(command)).toEqual([]);
  expect(decide(command, { 'git *': 'allow' }).action).toBe('allow');
});

test('a rule that names the word allows it', () => {
  expect(decide('git bisect run npm test', { 'git bisect run *': 'allow' }).action).toBe('allow');
  expect(decide('git -c color.ui=false log', { 'git -c color.ui=*': 'allow' }).action).toBe('allow');
  expect(decide('git lfs pull', { 'git lfs *': 'allow' }).action).toBe('allow');
  expect(decide('git -c a=b -p log', { 'git -c *': 'allow' }).action).toBe('ask');
  expect(decide('git config core.pager id', { 'git config *': 'allow' }).action).toBe('ask');
});

test('a command that cannot be read is asked about where something is denied that it could do, whatever is allowed', () => {
  const hidden = unreadableCommand('echo "rm x" | sh');
  const ask = (config: Parameters<typeof rulesFromConfig>[0]) =>
    compilePermissions(rulesFromConfig(config, 'dragoman.json')).decide({
      tool: 'bash',
      subjects: [{ kind: 'command', value: hidden }],
    });

  expect(ask({ bash: { '*': 'allow', 'rm *': 'deny' } })).toMatchObject({
    action: 'ask',
    reason: 'Asks because it could get around a rule that denies something.',
  });
  expect(ask({ '*': 'allow', read: { '.env': 'deny' } }).action).toBe('ask');
  expect(ask({ '*': 'allow', edit: { '*.lock': 'deny' } }).action).toBe('ask');
  expect(ask({ bash: 'allow', 'web-fetch': 'deny' }).action).toBe('allow');
});

test('what no default may allow is asked about, and a rule that a person wrote allows it', () => {
  const subject = {
    kind: 'command',
    value: 'git status',
    beyondDefaults: 'the repository sets diff.external',
  } as const;
  const defaults = { tool: 'bash', pattern: 'git status *', action: 'allow', origin: 'defaults', layer: 0 } as const;
  const question = { tool: 'bash', subjects: [subject] };

  expect(compilePermissions([defaults]).decide(question)).toMatchObject({
    action: 'ask',
    reason: 'Asks because the repository sets diff.external.',
  });
  expect(compilePermissions([defaults]).explain(question)).toMatchObject({
    action: 'ask',
    subjects: [{ heldBack: [{ unless: 'the repository sets diff.external' }] }],
  });
  expect(compilePermissions([defaults, { ...defaults, layer: 1 }]).decide(question).action).toBe('allow');
});

test('what no default may allow is asked about where "always" was said to another command, and not where to this one', () => {
  const subject = {
    kind: 'command',
    value: 'git add a',
    beyondDefaults: 'the repository has its files elsewhere',
  } as const;
  const always = (pattern: string) =>
    compilePermissions([{ tool: 'bash', pattern, action: 'allow', origin: 'approval apr_1', layer: 3 }]);
  const question = { tool: 'bash', subjects: [subject] };

  expect(always('git add *').decide(question)).toMatchObject({
    action: 'ask',
    reason: 'Asks because the repository has its files elsewhere.',
  });
  expect(always('git add a').decide(question).action).toBe('allow');
  expect(always('git add *').decide({ tool: 'bash', subjects: [{ kind: 'command', value: 'git add b' }] }).action).toBe(
    'allow',
  );
});

test('wherever -c stands before the command, and however it is quoted, it is seen', () => {
  const before = fc.constantFrom('--no-pager', '-C .', '--literal-pathspecs', '--work-tree x', "-C 'a b'", '-P');
  const option = fc.constantFrom('-c', '"-c"', "'-c'", '\\-c', '-"c"', '--config-env', '--exec-path=.');
  const command = fc.constantFrom('log', 'status', 'commit -m "a -- b"', 'push origin main');

  fc.assert(
    fc.property(
      fc.array(before, { maxLength: 4 }),
      option,
      fc.array(before, { maxLength: 2 }),
      command,
      (some, word, more, rest) => {
        const text = ['git', ...some, word, ...(word.includes('=') ? [] : ['core.pager=id']), ...more, rest].join(' ');

        expect(runningWords(text)).not.toEqual([]);
        expect(decide(text, { 'git *': 'allow' }).action).toBe('ask');
      },
    ),
  );
});

test('any text is read without an error, and no more words are found than it has', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('git', ' ', '-', 'c', '"', "'", '\\', '$', '=', ':', '*', 'x', '\n') }),
      (text) => {
        expect(runningWords(text).length).toBeLessThanOrEqual(text.length);
      },
    ),
  );
});
