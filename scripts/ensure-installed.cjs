// Installs what a script needs before it runs, and nothing when it is there already.
// Plain old JavaScript: on a fresh checkout this runs on whatever Node the machine has.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { buildConsole } = require('./build-console.cjs');

const root = join(__dirname, '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.dragoman-installed.json');

/** `run` is what the server needs; `all` is also what tests and checks need. What is there is never taken away. */
const stamp = readStamp();
const wanted = process.argv[2] === 'all' || (stamp !== undefined && stamp.has === 'all') ? 'all' : 'run';
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (!isInstalled()) {
  say(
    wanted === 'all'
      ? 'Installing what Dragoman needs for running and testing; this happens once.'
      : 'Installing what Dragoman needs to run; this happens once.',
  );
  install();
  requireNode24();
  writeFileSync(stampFile, JSON.stringify({ lock, has: wanted }));
}
// A server without its pages is still a server.
if (!buildConsole(say)) say('The console could not be built; see above. Everything else works.');

function isInstalled() {
  return stamp !== undefined && stamp.lock === lock && (stamp.has === 'all' || stamp.has === wanted);
}

function readStamp() {
  return existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : undefined;
}

function install() {
  // As the lock file says, and without touching it: it does not list every platform's optional packages.
  const args = [
    'install',
    '--no-save',
    wanted === 'all' ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  // A registry that does not answer for a moment is asked again.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    if (attempt > 1) say('npm could not install the packages; trying again.');
    const result = npm
      ? spawnSync(process.execPath, [npm].concat(args), { cwd: root, stdio: ['ignore', 2, 2] })
      : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
    if (result.status === 0) return;
  }
  say('npm could not install the packages; see above. Check the network and try again.');
  process.exit(1);
}

/** Scripts find the Node of the `node` package first; without it they would run on the machine's own. */
function requireNode24() {
  const local = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const result = spawnSync(existsSync(local) ? local : process.execPath, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (Number((result.stdout || 'v0').slice(1).split('.')[0]) >= 24) return;
  say(
    'Node 24 is missing. npm may be set to ignore install scripts: allow them (npm config set ignore-scripts false), or install Node 24 yourself.',
  );
  process.exit(1);
}

function say(text) {
  process.stderr.write('dragoman: ' + text + '\n');
}
