import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@dragoman/context';
import type { CallBook } from '@dragoman/gateway/model';
import { channelKinds, hasUnfinishedWork, type LazyHubHandlers } from '@dragoman/hub/setup';
import type { RunnerLog } from '@dragoman/runner';
import type { Caller, Store } from '@dragoman/server/base';
import { agentCodeSearch } from './agent-code-search.ts';
import type { Setup } from './load-setup.ts';
import type { DragomanConfig } from './rooms.ts';
import { runnerFolder } from './runner-folder.ts';
import { agentsLogFile } from './server-runner/agents-log.ts';
import { describeOldProcess } from './server-runner/old-process.ts';
import { installedProgram, noteProgram } from './server-runner/program-note.ts';
import { type ProgramCommand, runnerProcess, startRunnerProcess } from './server-runner/runner-process.ts';
import { ServerRunner } from './server-runner/server-runner.ts';
import { settleMemory } from './settle-memory.ts';
import { VERSION } from './version.ts';
import { voiceWriter } from './voice-writer.ts';
import { watchedLink } from './watched-link.ts';

/** How long the server's own runner has to introduce itself before the first request is answered without it. */
const CONNECT_MS = 20_000;

/** How long the server's own runner may take from this process to that of the agents, and back. */
const HANDOVER_MS = 3_000;

/** What the hub of a server stands on. */
export interface LazyHubOptions {
  store: Store;
  setup: Setup;
  config: () => DragomanConfig;
  openContext: () => Promise<Context>;
  /** Who the server's own runner belongs to. */
  owner: Caller;
  /** Where the model calls of agents are noted, beside those of clients. */
  book: CallBook;
  /** How the process for agents is started. */
  program: ProgramCommand;
  log: RunnerLog;
}

/** The hub, and the runner beside it in the same process, opened when they are first needed. */
export interface LazyHub {
  handlers: LazyHubHandlers;
  /**
   * Opens it now if something was left unfinished (a turn, a prompt that waits, a question) or may come from elsewhere: from
   * another process, or from a chat.
   */
  wake(): Promise<void>;
  /** The configuration has changed: what is offered is told, and chats are opened and closed. */
  refresh(): void;
  /**
   * Ends the agents; while the hub can still be reached, which is told what they did last. Those at work may be left to
   * themselves, for the next server.
   */
  endAgents(ending: { leavesWorking: boolean }): Promise<void>;
  /** Ends the hub. What waits is in the store. */
  close(): Promise<void>;
}

/** Makes the hub of a server, which costs nothing until somebody asks for it. */
export function lazyHub(options: LazyHubOptions): LazyHub {
  const { store, setup, config, owner, book, log } = options;
  const voice = voiceWriter(config, { book, owner });
  const open = async () => {
    const [{ openHub }, { hostAgents }, { knownRunnerIdIn, runnerProcessIn }] = await Promise.all([
      import('@dragoman/hub'),
      import('./host-agents.ts'),
      import('@dragoman/runner'),
    ]);
    const folder = runnerFolder(setup, undefined);
    const logFile = agentsLogFile(folder);
    const tellProgram = () => {
      try {
        noteProgram(folder, { ...setup, program: installedProgram() }, setup.config.environmentNames);
      } catch (err) {
        log.warn({ err }, 'an older process for agents cannot be told of this server');
      }
    };
    tellProgram();
    const hub = await openHub({
      store,
      config,
      log,
      version: VERSION,
      localRunnerId: knownRunnerIdIn(folder),
      handoverMs: HANDOVER_MS,
      localProblem: () => runner.problem,
      channels: channelKinds,
      transcribe: voice.transcribe,
    });
    const codeSearch = agentCodeSearch(async () => ({ context: await options.openContext(), userId: owner.userId }));
    const connected = Promise.withResolvers<void>();
    const link = watchedLink(hub.link(owner), () => connected.resolve());
    const openStore = () => Promise.resolve(store);
    const calls = () => ({ book, owner });
    const runner = new ServerRunner({
      // A member who may let agents work here has a shell on the server: that is opened by who configures it.
      standIn: (leave) =>
        hostAgents({
          ...leave,
          openStore,
          setup,
          config,
          codeSearch,
          calls,
          link,
          hubUrl: undefined,
          isShared: false,
          log,
        }),
      startProcess(release, signal) {
        tellProgram(); // It may have been upgraded meanwhile, and the process has what is there now.
        return startRunnerProcess({ program: options.program, args: configArgs(setup), logFile, release, signal });
      },
      findProcess: () => {
        const found = runnerProcessIn(folder);
        return found === undefined || found.pid === process.pid ? undefined : runnerProcess(found, logFile);
      },
      isConnected: () => hub.hasRunner(knownRunnerIdIn(folder) ?? ''),
      describeProcess: () => describeOldProcess(folder),
      canConnect: () =>
        store.ping().then(
          () => true,
          () => false,
        ),
      log,
    });
    // Whoever asks first is told of this machine too.
    await Promise.race([connected.promise, runner.finished, delay(CONNECT_MS, undefined, { ref: false })]).catch(
      () => {},
    );
    settleMemory();
    return { hub, runner, tellProgram };
  };
  let opened: ReturnType<typeof open> | undefined;
  const opening = () => {
    // One that could not be opened is tried again with the next request.
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    handlers: async () => (await opening()).hub.handlers,
    async wake() {
      // Where processes share a database, work for this one may come through another, and nobody may ever call here.
      if (store.engine === 'postgres' || hasChats(config()) || (await hasUnfinishedWork(store))) await opening();
    },
    refresh() {
      if (opened === undefined && hasChats(config()))
        opening().catch((err: unknown) => log.error({ err }, 'the chats that were configured could not be opened'));
      else
        opened
          ?.then(({ hub, runner, tellProgram }) => {
            tellProgram();
            hub.refresh();
            runner.refresh();
          })
          .catch(() => {}); // Whoever asked was told.
    },
    async endAgents({ leavesWorking }) {
      const { runner } = (await opened?.catch(() => undefined)) ?? {};
      const leavesAgents = leavesWorking && (await hasUnfinishedWork(store));
      await runner?.close({ leavesAgents });
    },
    async close() {
      const { hub } = (await opened?.catch(() => undefined)) ?? {};
      await hub?.close();
      await voice.close();
    },
  };
}

/** Whether people may write from a chat, which nobody has to ask this server for. */
function hasChats({ channels }: DragomanConfig): boolean {
  const settings: Readonly<Record<string, unknown>> = channels;
  return channelKinds.some(({ name }) => settings[name] !== undefined);
}

/** How another process of this program finds the same configuration. */
function configArgs({ source }: Setup): string[] {
  return source.isFileRequired ? ['--config', source.file] : [];
}
