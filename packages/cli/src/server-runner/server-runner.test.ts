import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubLink } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { hostAgents } from '../host-agents.ts';
import { openSetup } from '../load-setup.ts';
import type { RunnerProcess } from './runner-process.ts';
import { ServerRunner } from './server-runner.ts';

/** Servers on one data folder, whose hub never answers, and what they log. */
function serversOn(home: string) {
  const setup = openSetup({}, [], { DRAGOMAN_HOME: home });
  const said: string[] = [];
  const tell = (_: object, text: string) => void said.push(text);
  const log = { trace() {}, debug() {}, info: tell, warn: tell, error: tell };
  const never = () => Promise.reject(new Error('nothing is started here'));
  const serve = (hung?: RunnerProcess, canConnect = () => Promise.resolve(true)) => {
    const server = new ServerRunner({
      startProcess: never,
      findProcess: () => hung,
      hungMs: 0,
      isConnected: () => false,
      canConnect,
      patienceMs: 0,
      standIn: (leave) =>
        hostAgents({
          ...leave,
          openStore: never,
          setup,
          config: () => setup.config.value,
          codeSearch: never,
          link: silentLink,
          hubUrl: undefined,
          isShared: false,
          log,
        }),
      log,
      retryMs: 10,
    });
    onTestFinished(() => server.close());
    return server;
  };
  return { serve, said };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const silentLink: HubLink = {
  hello: (_, signal) => untilAborted(signal),
  send: (_, __, signal) => untilAborted(signal),
  listen: (_, __, signal) => untilAborted(signal),
  reply: () => Promise.resolve(),
};

test('the second server on a data folder says once who hosts the agents, and takes over when that one ends', async () => {
  const home = tempFolder();
  const { serve, said } = serversOn(home);
  const first = serve();
  const second = serve();
  const held = `This server runs no agents: ${join(home, 'runner', 'server', 'outbox')} is in use by process ${process.pid} since `;

  expect(first.problem).toBeUndefined();
  expect(second.problem).toContain(held);
  for (let tries = 0; tries < 3; tries++) second.refresh();
  expect(said).toEqual([expect.stringContaining(held)]);

  await first.close();
  await expect.poll(() => second.problem).toBeUndefined();
  expect(said).toHaveLength(2);
  expect(said[1]).toBe('the agents of this machine are hosted by this server now');
});

test('a process that has the folder and never connects is ended, and the server hosts the agents then', async () => {
  const { serve, said } = serversOn(tempFolder());
  const first = serve();
  const end = () => first.close().then(() => 'killed' as const);

  const second = serve({ pid: 1, logFile: '', gone: new Promise(() => {}), end });

  await expect.poll(() => second.problem).toBeUndefined();
  expect(said.slice(1)).toEqual([
    'the process that hosts agents does not respond; it is ended',
    'the agents of this machine are hosted by this server now',
  ]);
});

test('a process that cannot connect because the database is away is not ended for it', async () => {
  const { serve, said } = serversOn(tempFolder());
  const first = serve();
  const end = () => first.close().then(() => 'killed' as const);
  let asked = 0;
  let isBack = false;
  const canConnect = () => {
    asked += 1;
    return Promise.resolve(isBack);
  };

  const second = serve({ pid: 1, logFile: '', gone: new Promise(() => {}), end }, canConnect);
  await expect.poll(() => asked).toBeGreaterThan(3);
  expect(said.slice(1)).toEqual([]);
  isBack = true;

  await expect.poll(() => second.problem).toBeUndefined();
  expect(said.slice(1)).toEqual([
    'the process that hosts agents does not respond; it is ended',
    'the agents of this machine are hosted by this server now',
  ]);
});

test('a server that waits for the agents of its machine lets go of that when it is closed', async () => {
  const { serve, said } = serversOn(tempFolder());
  const first = serve();
  const second = serve();

  await second.close();
  await first.close();
  second.refresh();

  expect(second.problem).toContain('is in use by process');
  expect(said).toHaveLength(1);
});

test('a folder that cannot be made is a reason to host no agents, and no more', () => {
  const home = tempFolder();
  const { serve, said } = serversOn(home);
  writeFileSync(join(home, 'runner'), 'a file where the folder should be');

  expect(serve().problem).toMatch(/^This server runs no agents: ENOTDIR: not a directory, mkdir /);
  expect(said).toHaveLength(1);
});

test('a process for agents that ends by a crash is told with where it wrote why', async () => {
  const told: unknown[] = [];
  const log = {
    trace() {},
    debug() {},
    info() {},
    warn: (facts: object, text: string) => void told.push([text, facts]),
    error() {},
  };
  const runner = { finished: new Promise<void>(() => {}), refresh() {}, close: () => Promise.resolve() };
  let isAsked = false;
  const server = new ServerRunner({
    startProcess: () =>
      Promise.resolve({
        pid: 7,
        logFile: '/runner.log',
        gone: Promise.resolve({ code: null, signal: 'SIGSEGV' }),
        end: () => Promise.resolve('ended' as const),
      }),
    findProcess: () => undefined,
    isConnected: () => false,
    canConnect: () => Promise.resolve(true),
    standIn: ({ onWork }) => {
      if (!isAsked) queueMicrotask(onWork);
      isAsked = true;
      return runner;
    },
    log,
  });
  onTestFinished(() => server.close());

  await expect
    .poll(() => told)
    .toEqual([
      [
        'the process that hosts agents ended unexpectedly',
        { pid: 7, code: null, signal: 'SIGSEGV', logFile: '/runner.log' },
      ],
    ]);
});

test('while agents cannot be started, each session that waits for one says why, once, and it is tried again', async () => {
  const told: unknown[] = [];
  const waiting = ['one', 'other', 'other', 'one'];
  const runner = { finished: new Promise<void>(() => {}), refresh() {}, close: () => Promise.resolve() };
  const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  let starts = 0;
  const server = new ServerRunner({
    startProcess: () => Promise.reject(new Error(`memory is short (${++starts})`)),
    findProcess: () => undefined,
    isConnected: () => true,
    canConnect: () => Promise.resolve(true),
    standIn: ({ onWork, whyWaiting }) => {
      const next = waiting.shift();
      if (next !== undefined) {
        told.push([next, whyWaiting(next)]);
        onWork();
      }
      return runner;
    },
    log,
    startAgainMs: 1,
  });
  onTestFinished(() => server.close());

  await expect
    .poll(() => told)
    .toEqual([
      ['one', undefined],
      ['other', 'This server runs no agents: memory is short (1). It will be retried.'],
      ['other', undefined],
      ['one', 'This server runs no agents: memory is short (3). It will be retried.'],
    ]);
});
