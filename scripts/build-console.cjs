// Builds the console where its sources changed since it was last built. Plain old JavaScript, as its caller is.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const stampFile = join(root, 'packages/cli/console/.built-from');

/** What the console is made of, as one number. */
function sourcesHash() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else if (!/\.test\.tsx?$|\.fixture\.tsx?$/.test(path))
      hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const path of [
    'package-lock.json',
    'packages/protocol/src',
    'packages/web/index.html',
    'packages/web/vite.config.ts',
    'packages/web/public',
    'packages/web/src',
  ])
    add(join(root, path));
  return hash.digest('hex');
}

/** Builds it if need be. Returns false when that failed. */
function buildConsole(say) {
  const hash = sourcesHash();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return true;
  say('Building the console; this happens once.');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const local = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const result = spawnSync(
    existsSync(local) ? local : process.execPath,
    [vite, 'build', 'packages/web', '--logLevel', 'warn'],
    {
      cwd: root,
      // Whoever builds it may be a test, which says so in the environment.
      env: Object.assign({}, process.env, { NODE_ENV: 'production' }),
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (result.status !== 0) return false;
  writeFileSync(stampFile, hash);
  return true;
}

module.exports = { buildConsole };

if (require.main === module && !buildConsole((text) => process.stderr.write('dragoman: ' + text + '\n')))
  process.exitCode = 1;
