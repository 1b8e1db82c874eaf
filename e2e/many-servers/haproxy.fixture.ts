import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, skipTest, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';

/** Debian keeps it out of the path of ordinary users. */
const PROGRAMS = ['haproxy', '/usr/sbin/haproxy'];
const NEEDS_HAPROXY = 'HAProxy is not installed; on Debian and Ubuntu: sudo apt install haproxy';

/** HAProxy before some servers. Each request goes to the next one that is well, whoever sends it. */
export interface Haproxy {
  url: string;
  /** A server is at another address from now on. */
  moveServer(name: string, url: string): Promise<void>;
  /** Cuts every connection that leads to a server. */
  cutConnections(): Promise<void>;
}

/** Where the program is. Skips the running test where it is not installed. */
export function findHaproxy(): string {
  return PROGRAMS.find((name) => spawnSync(name, ['-v']).status === 0) ?? skipTest(NEEDS_HAPROXY);
}

/** Starts HAProxy on a free port, before servers that are known by their names. */
export async function startHaproxy(program: string, servers: Readonly<Record<string, string>>): Promise<Haproxy> {
  const folder = tempFolder();
  const [file, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'admin')];
  const port = await freePort();
  writeFileSync(file, configuration(servers, { socket, port }));
  const proxy = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = text(proxy.stderr);
  onTestFinished(async () => {
    proxy.kill('SIGKILL');
    await ended;
  });
  const failed = ended.then((said) => {
    throw new Error(`HAProxy has ended: ${said}`);
  });
  failed.catch(() => {}); // It ends with the test, too.
  await Promise.race([untilAnswered(socket), failed]);
  const tell = async (command: string) => {
    const answer = await askAdmin(socket, command);
    if (/no such|denied|unknown|require/i.test(answer)) throw new Error(`HAProxy: ${command}: ${answer.trim()}`);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    moveServer: (name, url) => tell(`set server hub/${name} addr 127.0.0.1 port ${new URL(url).port}`),
    async cutConnections() {
      for (const name of Object.keys(servers)) await tell(`shutdown sessions server hub/${name}`);
    },
  };
}

function configuration(
  servers: Readonly<Record<string, string>>,
  { socket, port }: { socket: string; port: number },
): string {
  const lines = Object.entries(servers).map(([name, url]) => `  server ${name} ${new URL(url).host}`);
  return `global
  stats socket ${socket} level admin
defaults
  mode http
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 10s
  retries 3
  option redispatch 1
frontend all
  bind 127.0.0.1:${port}
  default_backend hub
backend hub
  balance roundrobin
  option httpchk GET /health
  default-server check inter 500ms fall 2 rise 1
${lines.join('\n')}
`;
}

/** What HAProxy answers to a command of its administrator. */
async function askAdmin(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.write(`${command}\n`);
  return text(connection);
}

async function untilAnswered(socket: string): Promise<void> {
  while ((await askAdmin(socket, 'show info').catch(() => '')) === '') await delay(20);
}
