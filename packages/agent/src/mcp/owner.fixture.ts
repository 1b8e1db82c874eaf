import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { guardChildGroup } from '@dragoman/server/base';

// Starts a process that ignores its input and SIGTERM, and a helper in its group; says their ids, and exits when told.
const script = `
  process.on('SIGTERM', () => {});
  const helper = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
  process.stdout.write(String(helper.pid));
  setInterval(() => {}, 1000);`;
const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
guardChildGroup(child.pid!);
const [helper] = (await once(child.stdout, 'data')) as [Buffer];
console.log(JSON.stringify({ server: child.pid, helper: Number(helper.toString()) }));
process.stdin.on('end', () => process.exit(0)).resume();
