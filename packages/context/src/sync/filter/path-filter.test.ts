import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFolder } from '../walk/list-folder.ts';
import { format, formats } from './format-paths.fixture.ts';
import { PathFilter } from './path-filter.ts';
import { tempTree, writeTree } from './tree.fixture.ts';

test('SYNC-35 an accepted path says so', () => {
  const info = new PathFilter(tempTree({})).makeLocalFilter('', []).getPathInfo('a.ts', 'File');

  expect([info.accepted, info.format()]).toEqual([true, 'Accepted']);
});

test('SYNC-24 the layers are asked in order: safety, .gitignore, .augmentignore, extension', () => {
  const everything = '*.key\n*.txt\n*.md\n';
  const root = tempTree({ '.gitignore': everything.replace('*.md\n', ''), '.augmentignore': everything });

  expect(formats(root, ['a.key', 'a.txt', 'a.md', 'a.rs', 'a.ts'], { extensions: ['.ts'] })).toEqual([
    'Ignored by default Augment rules (*.key)',
    `Ignored by ${join(root, '.gitignore')}:2 (*.txt)`,
    `Ignored by ${join(root, '.augmentignore')}:3 (*.md)`,
    'Unsupported file extension (.rs)',
    'Accepted',
  ]);
});

test.each([
  '.git/',
  '.augment-guidelines',
  'a.pem',
  'a.key',
  'a.pfx',
  'a.p12',
  'a.jks',
  'a.keystore',
  'a.pkcs12',
  'a.crt',
  'a.cer',
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'id_dsa',
])('SYNC-25 SYNC-26 SYNC-27 SYNC-28 the safety rules leave out %s, at the root and below', (name) => {
  const rule = name.startsWith('a.') ? `*${name.slice(1)}` : name.replace(/\/$/, '');

  expect(formats(tempTree({}), [name, `src/deep/${name}`])).toEqual([
    `Ignored by default Augment rules (${rule})`,
    `Ignored by default Augment rules (${rule})`,
  ]);
});

test('SYNC-29 their case counts; what else is a key is left out by a rule of ours that says so', () => {
  expect(formats(tempTree({}), ['A.PEM', 'ID_RSA', 'a.Key'])).toEqual([
    'Ignored by Dragoman safety rules (*.pem)',
    'Ignored by Dragoman safety rules (id_rsa)',
    'Ignored by Dragoman safety rules (*.key)',
  ]);
});

test('SYNC-30 the safety rules stand once, at the root, under their name', () => {
  const filter = new PathFilter(tempTree({ 'a/b/': '' }));
  const layers = filter.makeLocalFilter('a/b').explain('x.pem', 'File');

  expect(layers.filter(({ layer }) => layer === 'default Augment rules')).toEqual([
    { layer: 'default Augment rules', verdict: 'left out', reason: '*.pem' },
  ]);
});

test.each([
  '.hg/',
  '.svn/',
  '.env',
  '.env.local',
  '.envrc',
  'config/.ENV.production',
  'prod.env',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.git-credentials',
  'home/.aws/credentials',
  'home/.kube/config',
  'home/.docker/config.json',
  'home/.config/gcloud/credentials.db',
  '.ssh/',
  '.gnupg/',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'prod.tfvars',
  'kubeconfig',
  'service-account-prod.json',
  'my-service-account.json',
  'client_secret_12.json',
  'app-firebase-adminsdk-x1.json',
  'server.der',
  'ssh_host_rsa_key',
])('what is made to hold secrets is left out: %s', (path) => {
  expect(format(tempTree({ '.dragomanignore': '!*\n!**/*\n' }), path)).toMatch(/^Ignored by Dragoman safety rules \(/);
});

test.each([
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
  '.env.local.example',
  'example.env',
  'environment.ts',
  'pkg/kubeconfig/',
  'pkg/kubeconfig/load.go',
  'keys.ts',
  'id_rsa.pub',
  '.aws/task-definition.json',
  'src/.github/x.yml',
  'serviceaccount.json',
  'tfstate.go',
  'auth.json',
])('what only looks like it stays: %s', (path) => {
  expect(format(tempTree({}), path)).toBe('Accepted');
});

test('what nobody wrote by hand is left out by default, and is taken back by an ignore file of ours', () => {
  const paths = ['node_modules/', 'web/app.min.js', 'app.js.map', 'package-lock.json', 'go.sum', '.venv/'];
  const root = tempTree({});
  expect(formats(root, paths)).toEqual([
    'Ignored by Dragoman defaults (node_modules/)',
    'Ignored by Dragoman defaults (*.min.js)',
    'Ignored by Dragoman defaults (*.map)',
    'Ignored by Dragoman defaults (package-lock.json)',
    'Ignored by Dragoman defaults (go.sum)',
    'Ignored by Dragoman defaults (.venv/)',
  ]);

  writeTree(root, { '.dragomanignore': '!node_modules\n!go.sum\n' });
  expect(formats(root, [...paths.slice(0, 1), 'go.sum', 'node_modules/x/index.js', 'app.min.js'])).toEqual([
    'Accepted',
    'Accepted',
    'Accepted',
    'Ignored by Dragoman defaults (*.min.js)',
  ]);
});

test('SYNC-20 SYNC-31 SYNC-38 a .gitignore holds in its folder and below, and is named by its full path with the line', () => {
  const root = tempTree({
    '.gitignore': 'node_modules/\ndist/\n*.log\n',
    'a/.gitignore': '# ours\n!keep.log\n/only-here\n',
  });
  const paths = ['node_modules/', 'x/dist/', 'b.log', 'a/b.log', 'a/keep.log', 'a/c/keep.log', 'a/only-here'];

  expect(formats(root, [...paths, 'only-here', 'a/c/only-here'])).toEqual([
    `Ignored by ${root}/.gitignore:1 (node_modules/)`,
    `Ignored by ${root}/.gitignore:2 (dist/)`,
    `Ignored by ${root}/.gitignore:3 (*.log)`,
    `Ignored by ${root}/.gitignore:3 (*.log)`,
    'Accepted',
    'Accepted',
    `Ignored by ${root}/a/.gitignore:3 (/only-here)`,
    'Accepted',
    'Accepted',
  ]);
  expect(new PathFilter(root).makeLocalFilter('').getPathInfo('b.log', 'File')).toMatchObject({
    accepted: false,
    layer: `${root}/.gitignore`,
    rule: { text: '*.log', line: 3 },
  });
});

test('SYNC-32 a .gitignore that is not in the listing as a plain file is not read', () => {
  const root = tempTree({ '.gitignore': '*', 'folder/.gitignore/x': '', rules: '*' });
  mkdirSync(join(root, 'linked'));
  symlinkSync(join(root, 'rules'), join(root, 'linked/.gitignore'));
  const ask = (folder: string, entries: Parameters<PathFilter['makeLocalFilter']>[1]) =>
    new PathFilter(root).makeLocalFilter(folder, entries).getPathInfo('a.ts', 'File').accepted;

  expect(ask('', [{ name: 'a.ts', type: 'File' }])).toBe(true);
  expect(ask('', [{ name: '.gitignore', type: 'Directory' }])).toBe(true);
  expect(ask('', [{ name: '.gitignore', type: 'File' }])).toBe(false);
  const inner = new PathFilter(root);
  inner.makeLocalFilter('', []);
  expect(inner.makeLocalFilter('linked', listFolder(join(root, 'linked'))).getPathInfo('a.ts', 'File').accepted).toBe(
    true,
  );
  expect(inner.makeLocalFilter('folder').getPathInfo('a.ts', 'File').accepted).toBe(true);
});

test('SYNC-33 our ignore files take back what .gitignore leaves out, in any folder, but no safety rule', () => {
  const root = tempTree({
    '.gitignore': 'generated/\n*.log\n.env\n',
    '.augmentignore': '!generated/\n!*.log\n!.env\n!*.pem\ndocs/\n',
    'a/.dragomanignore': '*.md\n!docs\n',
  });
  const paths = ['generated/api.ts', 'x.log', '.env', 'a.pem', 'docs/', 'a/x.md', 'a/docs/'];

  expect(formats(root, paths)).toEqual([
    'Accepted',
    'Accepted',
    'Ignored by Dragoman safety rules (*.env)',
    'Ignored by default Augment rules (*.pem)',
    `Ignored by ${root}/.augmentignore:5 (docs/)`,
    `Ignored by ${root}/a/.dragomanignore:1 (*.md)`,
    'Accepted',
  ]);
});

test('of our two ignore files in one folder, .dragomanignore has the last word', () => {
  const root = tempTree({ '.augmentignore': 'a\n!b\n', '.dragomanignore': '!a\nb\n' });

  expect(formats(root, ['a', 'b'])).toEqual(['Accepted', `Ignored by ${root}/.dragomanignore:2 (b)`]);
});

test('a folder that is left out is entered to reach what is taken back in it, and only that is indexed', () => {
  const root = tempTree({
    '.gitignore': 'build/\n',
    '.dragomanignore': '!build/api/*.ts\n!node_modules/ours/\n!.git/config\n!**/secret/x.ts\n',
  });

  expect(
    formats(root, ['build/', 'build/api/', 'build/api/a.ts', 'build/api/a.js', 'build/other/', 'build/x.ts']),
  ).toEqual([
    'Accepted',
    'Accepted',
    'Accepted',
    `Ignored by ${root}/.gitignore:1 (build/)`,
    `Ignored by ${root}/.gitignore:1 (build/)`,
    `Ignored by ${root}/.gitignore:1 (build/)`,
  ]);
  expect(formats(root, ['node_modules/ours/index.js', 'node_modules/theirs/', '.git/config'])).toEqual([
    'Accepted',
    'Ignored by Dragoman defaults (node_modules/)',
    'Ignored by default Augment rules (.git)',
  ]);
});

test('a .gitignore cannot take back what is in a folder left out above it', () => {
  const root = tempTree({ '.gitignore': 'build/\n!build/keep.ts\n', 'build/.gitignore': '!keep.ts\n' });

  expect(format(root, 'build/keep.ts')).toBe(`Ignored by ${root}/.gitignore:1 (build/)`);
});

test('a root within a repository follows the rules above it, up to the repository', () => {
  const outer = tempTree({
    '.gitignore': 'never\n',
    'repo/.git/info/exclude': 'private.txt\n',
    'repo/.gitignore': '*.log\n/packages/app/here.txt\n',
    'repo/packages/.gitignore': '!keep.log\n',
    'repo/packages/app/src/': '',
  });
  const root = join(outer, 'repo/packages/app');
  const paths = ['a.log', 'src/keep.log', 'here.txt', 'src/here.txt', 'private.txt', 'never'];

  expect(formats(root, paths)).toEqual([
    `Ignored by ${outer}/repo/.gitignore:1 (*.log)`,
    'Accepted',
    `Ignored by ${outer}/repo/.gitignore:2 (/packages/app/here.txt)`,
    'Accepted',
    `Ignored by ${outer}/repo/.git/info/exclude:1 (private.txt)`,
    'Accepted',
  ]);
});

test('a root that the rules above it leave out is indexed all the same', () => {
  const outer = tempTree({ '.git/info/exclude': '', '.gitignore': '*\n', 'dist/src/a.ts': '' });

  expect(formats(join(outer, 'dist'), ['src/a.ts', 'b.ts'])).toEqual(['Accepted', 'Accepted']);
});

test('a linked worktree follows the rules its repository keeps to itself', () => {
  const outer = tempTree({
    'main/.git/info/exclude': 'private.txt\n',
    'main/.git/worktrees/side/commondir': '../..\n',
    'side/.git': '',
  });
  writeFileSync(join(outer, 'side/.git'), `gitdir: ${join(outer, 'main/.git/worktrees/side')}\n`);

  expect(formats(join(outer, 'side'), ['private.txt', '.git'])).toEqual([
    `Ignored by ${outer}/main/.git/info/exclude:1 (private.txt)`,
    'Ignored by default Augment rules (.git)',
  ]);
});

test('a repository within a repository has its own rules', () => {
  const root = tempTree({
    '.gitignore': '*.log\n',
    'vendor/lib/.git/info/exclude': 'x\n',
    'vendor/lib/.gitignore': '*.tmp\n',
  });

  expect(formats(root, ['a.log', 'vendor/lib/a.log', 'vendor/lib/a.tmp', 'vendor/lib/x'])).toEqual([
    `Ignored by ${root}/.gitignore:1 (*.log)`,
    'Accepted',
    `Ignored by ${root}/vendor/lib/.gitignore:1 (*.tmp)`,
    `Ignored by ${root}/vendor/lib/.git/info/exclude:1 (x)`,
  ]);
});

test('rules that are no plain file of the project are not read, and keep nobody waiting', () => {
  const outside = tempTree({ secret: 'aws_secret_access_key = 1\n' });
  const root = tempTree({ '.git/info/': '', 'a.ts': '' });
  symlinkSync(join(outside, 'secret'), join(root, '.git/info/exclude'));
  execFileSync('mkfifo', [join(root, '.gitignore')]);
  const local = new PathFilter(root).makeLocalFilter('', [
    { name: '.git', type: 'Directory' },
    { name: '.gitignore', type: 'File' },
  ]);

  expect(local.explain('a.ts', 'File').map(({ reason }) => reason)).toEqual([
    'No rule matches',
    'No rule matches',
    `Left out because ${root}/.git/info/exclude cannot be read (it is a link that points outside the project, so it is not read)`,
    `Left out because ${root}/.gitignore cannot be read (it is not a file)`,
    'No rule matches',
  ]);
});

test('rules that cannot be read leave out everything they could speak about', () => {
  const root = tempTree({ 'a/.gitignore/': '', 'a/b.ts': '' });
  const local = new PathFilter(root).makeLocalFilter('a', [{ name: '.gitignore', type: 'File' }]);

  expect(local.getPathInfo('b.ts', 'File').format()).toBe(
    `Left out because ${root}/a/.gitignore cannot be read (it is not a file)`,
  );
});

test('SYNC-34 SYNC-37 extensions are asked only where they are given, and only of files', () => {
  const root = tempTree({});
  const paths = ['a.ts', 'a.test.ts', 'a.rs', 'Makefile', '.gitignore', 'folder.rs/'];

  expect(formats(root, paths)).toEqual(paths.map(() => 'Accepted'));
  expect(formats(root, paths, { extensions: ['.ts', '.tsx'] })).toEqual([
    'Accepted',
    'Accepted',
    'Unsupported file extension (.rs)',
    'Unsupported file extension ()',
    'Unsupported file extension ()',
    'Accepted',
  ]);
});

test('a link or a socket is not a file', () => {
  expect(new PathFilter(tempTree({})).makeLocalFilter('', []).getPathInfo('a.ts', 'Other').format()).toBe('Not a file');
});

test('the key of the rules changes with any of them and with nothing else', () => {
  const root = tempTree({ '.gitignore': 'a\n', 'x/.augmentignore': 'b\n', 'x/y/': '' });
  const keys = () => ['', 'x', 'x/y'].map((folder) => new PathFilter(root).makeLocalFilter(folder).rulesKey);
  const before = keys();
  expect(keys()).toEqual(before);
  expect(before[1]).toBe(before[2]);

  writeTree(root, { 'x/.augmentignore': 'c\n' });
  expect(keys().map((key, index) => key === before[index])).toEqual([true, false, false]);
  rmSync(join(root, '.gitignore'));
  expect(keys()[0]).not.toBe(before[0]);
});
