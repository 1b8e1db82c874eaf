import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted, type Trick, type TrickPlace } from './trick.ts';

/** The path of a program from a folder below `.git`, and from everywhere else. */
const absolute = (place: TrickPlace) => quoted(join(place.root, place.program()));

/** A git directory without a work tree around it, as it can be committed. */
function bareRepository({ write }: TrickPlace, folder: string, config: string): void {
  write({
    [`${folder}/HEAD`]: 'ref: refs/heads/main\n',
    [`${folder}/objects/.keep`]: '',
    [`${folder}/refs/.keep`]: '',
    [`${folder}/config`]: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${config}`,
  });
}

/** Makes git look at a file again. */
const touch = ({ root }: TrickPlace, path: string) => utimesSync(join(root, path), 1, 1);

/** Changes a file of one letter so that git has to read it: the length is the same, and only the time differs. */
function change(place: TrickPlace, path: string): void {
  place.write({ [path]: '2\n' });
  touch(place, path);
}

/** Puts another commit in place of the last one, with a signature that begins with these words. */
function sign(place: TrickPlace, words: string): void {
  const signature = `gpgsig -----BEGIN ${words}-----\n \n x\n -----END ${words}-----`;
  const commit = place.git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signature}\n\n`);
  place.write({ '.git/signed': commit });
  place.git('update-ref', 'HEAD', place.git('hash-object', '-t', 'commit', '-w', '.git/signed').trim());
}

/** A file of git that is a link to a secret, and a command that shows what is in it. */
function linkInGit(path: string, target: string, line: string, more: Readonly<Record<string, string>> = {}): Trick {
  return {
    name: `link-${path.replaceAll('/', '-').toLowerCase()}`,
    tries: `.git/${path} is a link to a file outside, or to one with secrets, which git shows`,
    repository: 'an archive with links in its .git',
    write({ write, link }) {
      write(more);
      link(`.git/${path}`, `${'../'.repeat(path.split('/').length)}${target}`);
    },
    line: () => line,
  };
}

/** What git itself reads from a repository to decide what it runs, and where it looks for files. */
export const GIT_TRICKS: readonly Trick[] = [
  {
    name: 'embedded-repository',
    tries: 'a folder that git takes for a repository names a monitor of its own',
    repository: 'a clone',
    write(place) {
      place.write({ 'docs/worktree/.keep': '' });
      bareRepository(place, 'docs/sub', `\tworktree = ../worktree\n\tfsmonitor = "../../${place.program()}"\n`);
    },
    line: () => 'cd docs/sub && git status',
    calls: () => [
      ['bash', { command: 'git status', workdir: 'docs/sub' }],
      ['bash', { command: 'cd docs/sub\ngit diff' }],
      ['bash', { command: 'git -C docs/sub status' }],
      ['bash', { command: 'cd docs/sub && /usr/bin/git status' }],
      ['bash', { command: 'A=${CDPATH:=docs}; cd sub && git status' }],
      ['bash', { command: 'pwd() { git status; }; cd docs/sub && pwd' }],
      ['bash', { command: 'cd docs/sub && git add .' }],
      ['bash', { command: 'git --git-dir=docs/sub --work-tree=docs/worktree status' }],
      ['bash', { command: 'GIT_DIR=docs/sub GIT_WORK_TREE=docs/worktree git status' }],
    ],
  },
  {
    name: 'tracked-env',
    tries: 'the repository keeps an empty .env that the person fills in, and a diff shows it',
    repository: 'a clone',
    write: ({ write }) => write({ '.env': 'KEY=\n', 'config/.env.production': 'KEY=\n' }),
    after({ write, git }) {
      write({ '.env': 'KEY=delphinium-of-env\n', 'config/.env.production': 'KEY=delphinium-of-env\n' });
      git('add', 'config/.env.production');
    },
    line: () => 'git diff',
    calls: () => [
      ['bash', { command: 'git diff --cached' }],
      ['bash', { command: 'git diff HEAD' }],
      ['bash', { command: 'git diff HEAD -- config' }],
      ['bash', { command: 'git diff .' }],
      ['bash', { command: 'git status -v -v' }],
      ['bash', { command: 'git status -vv' }],
    ],
  },
  {
    name: 'monitor',
    tries: 'core.fsmonitor names a program',
    repository: 'an archive',
    write: (place) => void place.git('config', 'core.fsmonitor', absolute(place)),
    line: () => 'git status',
    calls: () => [
      ['bash', { command: 'git diff --stat' }],
      ['bash', { command: 'git ls-files' }],
      ['bash', { command: 'exec -c git status' }],
    ],
  },
  {
    name: 'clean-filter',
    tries: 'a filter of .gitattributes cleans a file that changed',
    repository: 'an archive',
    write(place) {
      place.write({
        '.gitattributes': '*.clean filter=clean\n*.included filter=included\n*.own filter=own\n',
        'x.clean': '1\n',
      });
      place.git('add', '.gitattributes', 'x.clean');
      place.git('config', 'filter.clean.clean', absolute(place));
    },
    after: (place) => change(place, 'x.clean'),
    line: () => 'git status',
  },
  {
    name: 'smudge-filter',
    tries: 'a filter smudges the files of a fresh work tree',
    repository: 'an archive',
    write(place) {
      place.write({ 'smudged/.gitattributes': '* filter=smudge\n', 'smudged/x.txt': '1\n' });
      place.git('add', 'smudged');
      place.git('commit', '--quiet', '--message', 'smudged');
      place.git('config', 'filter.smudge.smudge', absolute(place));
    },
    line: () => 'rm smudged/x.txt && git checkout -- smudged/x.txt',
  },
  {
    name: 'filter-process',
    tries: 'a filter that stays running, named in info/attributes',
    repository: 'an archive',
    write(place) {
      place.write({ '.git/info/attributes': '*.process filter=process\n', 'x.process': '1\n' });
      place.git('add', 'x.process');
    },
    after(place) {
      place.git('config', 'filter.process.process', absolute(place));
      place.write({ 'x.process': 'changed\n' });
    },
    line: () => 'git diff --name-only',
  },
  {
    name: 'included-filter',
    tries: 'the filter stands in a file that is included on this branch',
    repository: 'an archive',
    write(place) {
      place.write({ 'x.included': '1\n' });
      place.git('add', 'x.included');
      place.write({ 'more.config': `[filter "included"]\n\tclean = ${absolute(place)}\n` });
      place.git('config', 'includeIf.onbranch:main.path', '../more.config');
    },
    after: (place) => change(place, 'x.included'),
    line: () => 'git status --short',
  },
  {
    name: 'filter-of-a-branch',
    tries: 'the filter stands in a file that is included in the work tree of a session alone',
    repository: 'an archive',
    write(place) {
      place.write({ 'branched/.gitattributes': '* filter=branched\n', 'branched/x.txt': '1\n' });
      place.git('add', 'branched');
      place.git('commit', '--quiet', '--message', 'branched');
      place.write({ '.git/branched': `[filter "branched"]\n\tsmudge = ${absolute(place)}\n` });
      for (const condition of ['onbranch:dragoman/**', 'gitdir:**/worktrees/**'])
        place.git('config', `includeIf.${condition}.path`, 'branched');
    },
    line: () => 'git worktree add -b dragoman/by-hand .git/by-hand',
  },
  {
    name: 'filter-of-the-work-tree',
    tries: 'the filter stands in the configuration of the work tree',
    repository: 'an archive',
    write(place) {
      place.write({ 'x.own': '1\n' });
      place.git('add', 'x.own');
      place.git('config', 'extensions.worktreeConfig', 'true');
      place.git('config', '--worktree', 'filter.own.clean', absolute(place));
    },
    after: (place) => change(place, 'x.own'),
    line: () => 'git status --porcelain',
  },
  {
    name: 'hook',
    tries: 'a hook runs when git has written its index',
    repository: 'an archive',
    write: (place) => void place.program('.git/hooks/post-index-change'),
    after: (place) => touch(place, 'docs/guide.md'),
    line: () => 'touch docs/guide.md && git status',
  },
  {
    name: 'checkout-hook',
    tries: 'hooks run when a work tree is made',
    repository: 'an archive',
    write(place) {
      for (const hook of ['post-checkout', 'reference-transaction', 'pre-commit', 'pre-push'])
        place.program(`.git/hooks/${hook}`);
    },
    line: () => 'git branch made-by-hand',
  },
  {
    name: 'alias',
    tries: 'an alias of the repository is a command of the shell',
    repository: 'an archive',
    write: (place) => void place.git('config', 'alias.st', `!${absolute(place)}`),
    line: () => 'git st',
  },
  {
    name: 'signature-program',
    tries: 'a signed commit is checked by a program of the repository, because its settings ask for that',
    repository: 'an archive',
    write(place) {
      place.git('config', 'gpg.program', join(place.root, place.program()));
      place.git('config', 'log.showSignature', 'true');
      sign(place, 'PGP SIGNATURE');
    },
    line: () => 'git log -1',
    calls: () => [
      ['bash', { command: "git log -1 --format='%G?'" }],
      ['bash', { command: 'git show --stat' }],
    ],
  },
  {
    name: 'signature-program-in-the-path',
    tries: 'a signature is checked by a program with an ordinary name, which the search path finds in the repository',
    repository: 'an archive',
    write(place) {
      for (const name of ['false', 'true', 'cat']) place.program(`node_modules/.bin/${name}`);
      place.git('config', 'gpg.x509.program', 'false');
      place.git('commit', '--quiet', '--allow-empty', '--message', 'signed');
      sign(place, 'SIGNED MESSAGE');
    },
    line: () => 'git log --show-signature',
    calls: () => [['bash', { command: "git log --format='%G?'" }]],
  },
  {
    name: 'gpg-in-the-path',
    tries: 'a signature is checked by gpg, which the search path finds in the repository',
    repository: 'a clone',
    write(place) {
      place.program('node_modules/.bin/gpg');
      place.git('commit', '--quiet', '--allow-empty', '--message', 'signed');
      sign(place, 'PGP SIGNATURE');
    },
    line: () => 'git log --show-signature',
  },
  {
    name: 'attributes-outside',
    tries: 'core.attributesFile is a file with passwords, and git shows what it does not understand in it',
    repository: 'an archive',
    write({ git, home }) {
      writeFileSync(join(home, '.netrc'), "machine example.com password 'larkspur-of-notes'\n");
      git('config', 'core.attributesFile', '~/.netrc');
    },
    line: () => 'git diff 2>&1',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git status' }],
      ['bash', { command: 'git log -p' }],
    ],
  },
  {
    name: 'names-outside',
    tries: 'mailmap.file is a file of the person, and git shows the names in it',
    repository: 'an archive',
    write({ git, home }) {
      writeFileSync(join(home, 'people'), 'snapdragon-of-config <ada@example.com>\n');
      git('config', 'mailmap.file', '~/people');
    },
    line: () => 'git log -1 --format=%aN',
  },
  {
    name: 'settings-outside',
    tries: 'the repository includes the settings of another, and shows the address of its remote',
    repository: 'an archive that borrows settings',
    write({ git, sibling }) {
      git('-C', sibling, 'remote', 'add', 'origin', 'https://example.com/larkspur-of-notes/a.git');
      git('config', 'include.path', '../../sibling/.git/config');
    },
    line: () => 'git remote -v',
    calls: () => [['bash', { command: 'git branch -vv' }]],
  },
  linkInGit('BISECT_START', '.env', 'git status', { '.git/BISECT_LOG': '' }),
  linkInGit('rebase-merge/done', '../home/.ssh/id_rsa', 'git status --ahead-behind', {
    '.git/rebase-merge/interactive': '',
  }),
  linkInGit('rebase-merge/git-rebase-todo', '../home/.aws/credentials', 'git status --long'),
  linkInGit('worktrees/w/gitdir', '../home/.aws/credentials', 'git worktree list', {
    '.git/worktrees/w/HEAD': 'ref: refs/heads/main\n',
    '.git/worktrees/w/commondir': '../..\n',
  }),
  linkInGit('info/grafts', '../home/.ssh/id_rsa', 'git log -1 2>&1'),
  {
    name: 'worktree-elsewhere',
    tries: 'what git keeps about a worktree is a link to another project, which is emptied when git tidies up',
    repository: 'an archive with links in its .git',
    write: ({ link }) => link('.git/worktrees/elsewhere', '../../../sibling'),
    calls: () => [['bash', { command: 'git worktree prune' }]],
  },
  {
    name: 'link-in-an-inner-repository',
    tries:
      'the branches of a repository inside are in a link to a file with secrets, and git complains about what it says',
    repository: 'an archive with links in a .git inside',
    write({ git, link, write }) {
      git('init', '--quiet', 'vendor/inner');
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/inner`);
      write({ 'vendor/inner/.git/HEAD': 'ref: refs/heads/none\n' });
      link('vendor/inner/.git/packed-refs', '../../../.env');
    },
    line: () => 'git status 2>&1',
    calls: () => [
      ['bash', { command: 'git status --short' }],
      ['bash', { command: 'git status -uall' }],
      ['bash', { command: 'git status --ignored vendor' }],
      ['bash', { command: 'git diff HEAD' }],
      ['bash', { command: 'cd vendor/inner && git branch -a' }],
    ],
  },
  {
    name: 'ssh-command',
    tries: 'core.sshCommand is a program, and the remote is reached with ssh',
    repository: 'an archive',
    write(place) {
      place.git('config', 'core.sshCommand', absolute(place));
      place.git('remote', 'add', 'origin', 'ssh://git@host.invalid/app.git');
    },
    line: () => 'git fetch',
    calls: () => [
      ['bash', { command: 'git remote show origin' }],
      ['bash', { command: 'git remote -v' }],
    ],
  },
  {
    name: 'credential-helper',
    tries: 'a helper for passwords is a program of the repository',
    repository: 'an archive',
    write: (place) => void place.git('config', 'credential.helper', `!${absolute(place)}`),
    line: () => "printf 'protocol=https\\nhost=host.invalid\\n\\n' | GIT_ASKPASS=true git credential fill",
  },
  {
    name: 'external-url',
    tries: 'a submodule comes from an address that is a command',
    repository: 'an archive',
    write(place) {
      place.write({
        '.gitmodules': '[submodule "m"]\n\tpath = vendor/m\n\turl = ext::sh\n\tignore = none\n\tupdate = checkout\n',
      });
      place.git('config', 'protocol.ext.allow', 'always');
      place.git('config', 'submodule.m.url', `ext::${join(place.root, place.program())}`);
      place.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/m`);
    },
    line: () => 'git fetch "$(git config submodule.m.url)"',
    calls: () => [['bash', { command: 'git submodule update --init' }]],
  },
  {
    name: 'inner-repository',
    tries: 'a repository inside, which the outer one tells git to look into, has a monitor',
    repository: 'an archive',
    write(place) {
      const inner = 'vendor/inner';
      place.write({ [`${inner}/c.txt`]: 'c\n' });
      place.git('-C', inner, 'init', '--quiet');
      place.git('-C', inner, 'add', '--all');
      place.git('-C', inner, 'commit', '--quiet', '--message', 'inner');
      place.git('-c', 'advice.addEmbeddedRepo=false', 'add', inner);
      place.git('-C', inner, 'config', 'core.fsmonitor', absolute(place));
      place.git('config', 'submodule.inner.ignore', 'none');
      place.git('config', 'diff.ignoreSubmodules', 'none');
      place.git('config', 'status.submoduleSummary', 'true');
    },
    line: () => 'git status --ignore-submodules=none',
    calls: () => [
      ['bash', { command: 'cd vendor/inner && git status' }],
      ['bash', { command: 'git diff --submodule=diff' }],
    ],
  },
  {
    name: 'git-file',
    tries: 'a file named .git leads to a git directory among the sources',
    repository: 'an archive',
    write(place) {
      bareRepository(place, 'docs/repository', `\tfsmonitor = ${absolute(place)}\n`);
      place.write({ 'docs/work/.git': 'gitdir: ../repository\n' });
    },
    line: () => 'cd docs/work && git status',
  },
  {
    name: 'common-folder',
    tries: 'a git directory takes its settings from another folder',
    repository: 'an archive',
    write(place) {
      bareRepository(place, 'docs/common', `\tfsmonitor = ${absolute(place)}\n`);
      place.write({
        'docs/linked/.git/HEAD': 'ref: refs/heads/main\n',
        'docs/linked/.git/commondir': '../../common\n',
      });
    },
    line: () => 'cd docs/linked && git status',
  },
  {
    name: 'endless-common-folder',
    tries: 'whoever reads where a git directory has its settings reads for ever',
    repository: 'an archive',
    write({ write, link }) {
      write({ 'docs/endless/.git/config': '' });
      link('docs/endless/.git/commondir', '/dev/zero');
    },
    calls: () => [['bash', { command: 'cd docs/endless && git status' }]],
  },
  {
    name: 'hooks-path',
    tries: 'core.hooksPath leads to a folder of the sources',
    repository: 'an archive with hooks beside the sources',
    write(place) {
      for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
        place.program(`.husky/${hook}`);
      place.git('config', 'core.hooksPath', '.husky');
    },
    after: (place) => touch(place, 'docs/guide.md'),
    line: () => 'touch docs/guide.md && git status',
    calls: () => [['bash', { command: 'git status' }]],
  },
  {
    name: 'diff-external',
    tries: 'diff.external is a program',
    repository: 'an archive with programs for diffs',
    write: (place) => void place.git('config', 'diff.external', absolute(place)),
    line: () => 'git diff',
    calls: () => [
      ['bash', { command: 'git diff HEAD' }],
      ['bash', { command: 'git log -1 -p --ext-diff' }],
    ],
  },
  {
    name: 'diff-command',
    tries: 'a driver for diffs is a program',
    repository: 'an archive with programs for diffs',
    write(place) {
      place.git('config', 'diff.driver.command', absolute(place));
      place.write({ '.gitattributes': 'a.txt diff=driver\n*.md diff=converter\n' });
    },
    line: () => 'git diff a.txt',
  },
  {
    name: 'diff-converter',
    tries: 'files are converted by a program before they are compared',
    repository: 'an archive with programs for diffs',
    write: (place) => void place.git('config', 'diff.converter.textconv', absolute(place)),
    after: ({ write }) => write({ 'docs/guide.md': 'changed\n' }),
    line: () => 'git -c diff.external= log -1 -p -- docs/guide.md',
    calls: () => [
      ['bash', { command: 'git log -1 -p' }],
      ['bash', { command: 'git show' }],
    ],
  },
  {
    name: 'missing-work-tree',
    tries: 'files are converted by a program, and the folder of the files is not there',
    repository: 'an archive whose files are nowhere',
    write(place) {
      place.git('config', 'diff.converter.textconv', absolute(place));
      place.write({ '.git/info/attributes': '* diff=converter\n' });
      place.git('config', 'core.worktree', '/nonexistent-folder');
    },
    line: () => 'git log -p',
    calls: () => [['bash', { command: 'mkdir made && cd made && git log -p' }]],
  },
  {
    name: 'missing-objects',
    tries: 'an object that is missing is fetched from an address that is a command',
    repository: 'an archive whose objects are missing',
    write(place) {
      for (const [key, value] of [
        ['core.repositoryFormatVersion', '1'],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.url', `ext::${join(place.root, place.program())}`],
        ['remote.origin.promisor', 'true'],
        ['protocol.ext.allow', 'always'],
      ] as const)
        place.git('config', key, value);
      place.git('update-index', '--cacheinfo', `100644,${'1'.repeat(40)},a.txt`);
    },
    line: () => 'git diff --cached',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git log -1 -p' }],
    ],
  },
  {
    name: 'files-above',
    tries: 'the repository says that its files are those of the folder above, and a diff shows them',
    repository: 'an archive whose files are above it',
    write(place) {
      const empty = place
        .git('hash-object', '-w', '--stdin', '-t', 'blob', '--no-filters', '/dev/null')
        .trim()
        .split('\n')[0]!;
      place.git('update-index', '--add', '--cacheinfo', `100644,${empty},sibling/notes.txt`);
      place.git('update-index', '--add', '--cacheinfo', `100644,${empty},home/.bashrc`);
      place.git('config', 'core.worktree', '../..');
    },
    line: () => 'git diff',
    calls: () => [
      ['bash', { command: 'git diff HEAD' }],
      ['bash', { command: 'git status' }],
      ['bash', { command: 'git ls-files' }],
    ],
  },
  {
    name: 'borrowed-repository',
    tries: 'the file .git leads to the repository of another project, whose history is shown',
    repository: 'an archive that is a file',
    write({ root, write }) {
      rmSync(join(root, '.git'), { recursive: true });
      write({ '.git': 'gitdir: ../sibling/.git\n' });
    },
    line: () => 'git log -p',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git log -p -1' }],
      ['bash', { command: 'git add -A && git commit -m mine' }],
    ],
  },
  {
    name: 'repository-behind-a-blank',
    tries: 'the file .git names a folder of the project, and with the blank behind it the repository of another',
    repository: 'an archive that is a file with a blank',
    write({ root, write }) {
      renameSync(join(root, '.git'), join(root, 'real'));
      write({ '.git': 'gitdir: real \n' });
      symlinkSync('../sibling/.git', join(root, 'real '));
    },
    line: () => 'git log -p',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git show --stat' }],
    ],
  },
  {
    name: 'linked-repository',
    tries: 'the folder .git is a link to the repository of another project',
    repository: 'an archive that is a link',
    write({ root }) {
      rmSync(join(root, '.git'), { recursive: true });
      symlinkSync('../sibling/.git', join(root, '.git'));
    },
    line: () => 'git log -p',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git show --stat' }],
    ],
  },
  {
    name: 'borrowed-objects',
    tries: 'the objects and the branch of another project are linked into .git',
    repository: 'an archive that borrows objects',
    write({ root, sibling }) {
      const [git, other] = [join(root, '.git'), join(sibling, '.git')];
      writeFileSync(join(git, 'objects/info/alternates'), `${join(other, 'objects')}\n`);
      rmSync(join(git, 'refs/heads/main'));
      symlinkSync('../../../../sibling/.git/refs/heads/main', join(git, 'refs/heads/main'));
    },
    line: () => 'git log -p',
    calls: () => [
      ['bash', { command: 'git diff HEAD' }],
      ['bash', { command: 'git log -1 -p' }],
    ],
  },
];
