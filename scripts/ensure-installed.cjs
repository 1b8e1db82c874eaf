// Installs what a script needs before it runs, and nothing when it is there already.
// Plain old JavaScript: on a fresh checkout this runs on whatever Node the machine has.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { accessSync, constants, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { userInfo } = require('node:os');
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
  requireNpm11();
  requireWritable();
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
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function requireNpm11() {
  const version = (/^npm\/(\S+)/.exec(process.env.npm_config_user_agent || '') || [])[1];
  if (version === undefined || parseInt(version, 10) >= 11) return;
  fail(
    'Installing needs npm 11 or newer, and this is npm ' +
      version +
      '. Get it with: npm install -g npm@11; or use it for this once: npx npm@11 start, npx npm@11 test.',
  );
}

/** Where only some folder deep inside belongs to another user, npm tells. */
function requireWritable() {
  const closed = [root, modules].filter((folder) => existsSync(folder) && !isWritable(folder))[0];
  if (closed === undefined) return;
  const user = userInfo().username;
  fail(
    closed +
      ' cannot be written by ' +
      user +
      ', and what Dragoman needs is installed there. Make it yours (sudo chown -R ' +
      user +
      ' ' +
      root +
      '), or clone into a folder of your own.',
  );
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function install() {
  // As the lock file says, and without touching it: it does not list every platform's optional packages.
  const args = [
    'install',
    '--no-save',
    wanted === 'all' ? '--include=dev' : '--omit=dev',
    // Node itself is one: of the packages for all platforms, npm takes the one that fits.
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // A registry that does not answer for a moment is asked again.
  for (let attempt = 1; ; attempt += 1) {
    // Asked once and shortly: without a network npm itself would go on asking for a quarter of an hour, package by package.
    const isReached = npm(['view', 'node', 'version', '--fetch-retries=0', '--fetch-timeout=15000'], 'ignore');
    if (isReached ? npm(args, 2) : npm(args.concat('--offline'), 'ignore')) return;
    const what = isReached ? 'npm could not install the packages' : 'npm cannot reach its registry';
    if (attempt < (isReached ? 3 : 2)) say(what + '; trying again.');
    else if (isReached) fail(what + '; see above.');
    else
      fail(
        what +
          '. See that this machine is online, and that npm knows the proxy where there is one ' +
          '(npm config set https-proxy …), and start again.',
      );
  }
}

/** Runs npm; true when it did what it was asked. */
function npm(args, output) {
  const script = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', output, output] };
  const result = script
    ? spawnSync(process.execPath, [script].concat(args), options)
    : spawnSync('npm', args, Object.assign(options, { shell: process.platform === 'win32' }));
  return result.status === 0;
}

/**
 * Scripts find the Node that npm installed first; without it they would run on the machine's own.
 * npm leaves out, without a word, what it could not get or what does not have the hash that the lock file names.
 */
function requireNode24() {
  const local = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const result = spawnSync(existsSync(local) ? local : process.execPath, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (Number((result.stdout || 'v0').slice(1).split('.')[0]) >= 24) return;
  fail(
    'Node 24 is missing: there is no package of it for ' +
      process.platform +
      ' on ' +
      process.arch +
      ', npm could not get it, or what it got is not what package-lock.json names. Start again, or install Node 24 yourself.',
  );
}

function say(text) {
  process.stderr.write('dragoman: ' + text + '\n');
}

function fail(text) {
  say(text);
  process.exit(1);
}
