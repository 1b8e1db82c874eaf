import { once } from 'node:events';
import { hostForHub } from '../host-for-hub.ts';
import { openHostingLog } from '../hosting-log.ts';
import { type CommonOptions, openSetup } from '../load-setup.ts';
import { runnerFolder } from '../runner-folder.ts';
import { agentsLogFile, boundAgentsLog } from '../server-runner/agents-log.ts';
import { lockLink } from '../server-runner/lock-link.ts';
import { noteOldProcess } from '../server-runner/old-process.ts';
import { differsFromServer, installedProgram } from '../server-runner/program-note.ts';
import { GO, OPEN, READY } from '../server-runner/runner-process.ts';
import { untilNotNeeded } from '../server-runner/until-not-needed.ts';
import { settleMemory } from '../settle-memory.ts';
import { printError } from '../terminal/print.ts';
import { untilInterrupted } from '../until-interrupted.ts';

/** A server that starts again is found soon. */
const RETRY = { firstMs: 100, maxMs: 1_000 };

/**
 * `dragoman server-runner`, which a server starts: hosts the agents of its machine, and goes on when that server ends or
 * another takes its place.
 */
export async function serverRunner(options: CommonOptions): Promise<void> {
  const { signal } = untilInterrupted();
  const setup = openSetup(options);
  const folder = runnerFolder(setup, undefined);
  const logFile = agentsLogFile(folder);
  const runsWith = { ...setup, program: installedProgram() };
  let refused: string | undefined;
  let told: string | undefined;
  const isOutdated = () => {
    const differs = differsFromServer(folder, runsWith);
    const why = [differs, refused].filter((one) => one !== undefined).join('; ') || undefined;
    if (why !== told) noteOldProcess(folder, (told = why));
    return differs !== undefined;
  };
  await hostForHub(
    {
      setup,
      link: lockLink(setup.folder),
      hubUrl: undefined,
      isShared: false,
      retry: RETRY,
      log: openHostingLog(setup.config.value, (line) => {
        boundAgentsLog(logFile);
        printError(`${new Date().toISOString()} ${line}`);
      }),
      onConfig: (problem) => {
        refused = problem && `it cannot use the configuration (${problem.split('\n')[0]})`;
      },
      beforeOpen: () => waitForFolder(signal),
    },
    async (host) => {
      say(OPEN);
      settleMemory();
      await Promise.race([host.finished, untilNotNeeded(host, { folder, signal, isOutdated })]);
      noteOldProcess(folder, undefined);
    },
  );
}

/** The server has the folder until everything is loaded here. A server that dies or ends this meanwhile needs nobody. */
async function waitForFolder(signal: AbortSignal): Promise<void> {
  if (process.send === undefined) return;
  const gone = once(process, 'disconnect').then(() => ['gone']);
  const interrupted = signal.aborted ? Promise.resolve(['gone']) : once(signal, 'abort').then(() => ['gone']);
  const heard = once(process, 'message');
  say(READY);
  const [word] = await Promise.race([heard, gone, interrupted]);
  if (word !== GO) process.exit(0);
}

/** A server that has died hears nothing; the next one finds this process without it. */
function say(word: string): void {
  process.send?.(word, () => {});
}
