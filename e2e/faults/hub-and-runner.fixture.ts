import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutboxRecord } from '@dragoman/protocol';
import {
  type CutProxy,
  freePort,
  openCutProxy,
  runDragoman,
  type RunningDragoman,
  serveDragoman,
  startDragoman,
  type StartedDragoman,
  tempFolder,
} from '@dragoman/testkit';
import { onTestFailed, onTestFinished } from 'vitest';
import { NOTING_AGENT } from './noting-agent.fixture.ts';

const TOKEN = 'faults-token-of-twenty-and-more';

/** Where a session runs: at the hub's own machine, or at the runner behind the network. */
export type Machine = 'own' | 'away';

/**
 * A hub and a runner as processes of their own, with a network between them that can be cut. Both can be killed and
 * started again at any time; each finds what it left. The hub has a machine of its own as well.
 */
export class HubAndRunner {
  readonly token: string = TOKEN;
  /** Where the hub is for everyone on its side of the network. */
  readonly url: string;
  readonly proxy: CutProxy;
  readonly #port: number;
  readonly #folder: string;
  readonly #databaseUrl: string | undefined;
  #hub: RunningDragoman | undefined;
  #runner: StartedDragoman | undefined;

  static async open(databaseUrl?: string): Promise<HubAndRunner> {
    const port = await freePort();
    const both = new HubAndRunner({ port, folder: tempFolder(), databaseUrl, proxy: await openCutProxy(port) });
    // Agents that outlive their runner are what is looked for, so they may be there.
    onTestFinished(() => {
      for (const pid of both.agentProcesses()) process.kill(pid, 'SIGKILL');
    });
    onTestFailed(() => console.log(both.#lastWords()));
    await both.startHub();
    both.startRunner();
    return both;
  }

  private constructor(given: { port: number; folder: string; databaseUrl: string | undefined; proxy: CutProxy }) {
    this.#port = given.port;
    this.#folder = given.folder;
    this.#databaseUrl = given.databaseUrl;
    this.proxy = given.proxy;
    this.url = `http://127.0.0.1:${given.port}`;
    const agents = { counter: { backend: 'uap', command: [process.execPath, this.#agentFile] } };
    for (const [who, name] of [
      ['hub', 'own'],
      ['runner', 'away'],
    ] as const) {
      mkdirSync(this.#home(who));
      writeFileSync(join(this.#home(who), 'dragoman.json'), JSON.stringify({ agents, runner: { name } }));
    }
    writeFileSync(this.#agentFile, NOTING_AGENT);
  }

  /** A new folder for a session to work in. */
  newFolder(name: string): string {
    const folder = join(this.#folder, 'work', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async startHub(): Promise<void> {
    const env = this.#databaseUrl === undefined ? {} : { DRAGOMAN_DATABASE_URL: this.#databaseUrl };
    const args = ['--port', String(this.#port), '--token', TOKEN];
    this.#hub = await serveDragoman(args, { home: this.#home('hub'), env });
  }

  async killHub(): Promise<void> {
    await this.#hub!.stop('SIGKILL');
  }

  /** Ends the hub and the agents of its own machine, as a person does, whether the hub runs or was killed. */
  async stopHub(): Promise<void> {
    const { exitCode, stderr } = await runDragoman(['stop'], { home: this.#home('hub') });
    if (exitCode !== 0) throw new Error(`dragoman stop ended with ${exitCode}: ${stderr}`);
  }

  startRunner(): void {
    const args = ['runner', '--hub', this.proxy.url, '--token', TOKEN];
    this.#runner = startDragoman(args, { home: this.#home('runner') });
  }

  async killRunner(): Promise<void> {
    this.#runner!.process.kill('SIGKILL');
    await this.#runner!.finished;
  }

  /** Ends the runner as a person does. */
  async stopRunner(): Promise<void> {
    this.#runner!.process.kill('SIGTERM');
    await this.#runner!.finished;
  }

  /** What is in the files of the runner's outbox, as it was promised to be kept: whole lines. */
  outbox(): OutboxRecord[] {
    const places = globSync(join(this.#home('runner'), 'runner', '*', 'outbox', '*.jsonl'));
    const lines = places.toSorted().flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
    return lines.flatMap((line) => (JSON.parse(line) as [number, ...OutboxRecord[]]).slice(1) as OutboxRecord[]);
  }

  /** The agents that run and what they started, by their process ids. */
  agentProcesses(): number[] {
    return commandLines().flatMap(({ pid, command }) => (command.includes(this.#agentFile) ? [pid] : []));
  }

  /** The last that both had to say, for who looks into a failure. */
  #lastWords(): string {
    const last = (output: string | undefined) => (output ?? '').split('\n').slice(-15).join('\n');
    return `hub: ${last(this.#hub?.output())}\nrunner: ${last(this.#runner?.output())}`;
  }

  get #agentFile(): string {
    return join(this.#folder, 'counting-agent.mjs');
  }

  #home(name: 'hub' | 'runner'): string {
    return join(this.#folder, name);
  }
}

/** Every process that runs. One that has ended and was not taken note of has no command line any more. */
function commandLines(): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/cmdline')) {
    const lines = execFileSync('ps', ['-axwwo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line), command: line }));
  }
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }] : [];
    } catch {
      return []; // It is gone by now.
    }
  });
}
