import { statSync } from 'node:fs';
import { DragomanError } from '@dragoman/protocol';
import type { AgentConfig } from '@dragoman/runner';
import { formatCheck } from '@dragoman/runner/check';
import { openStore, type Store } from '@dragoman/server/base';
import { type AgentCalls, openAgentCalls } from '../agent-calls.ts';
import { checkOneAgent } from '../check-one-agent.ts';
import { openCommandLog } from '../command-log.ts';
import { EXIT_CODES } from '../exit-code.ts';
import { type CommonOptions, openSetup, userPath } from '../load-setup.ts';
import { roomMigrations } from '../rooms.ts';
import { print, printError, printJson } from '../terminal/print.ts';
import { untilInterrupted } from '../until-interrupted.ts';

/** What `dragoman uap check` is told. */
export interface CheckUapOptions extends CommonOptions {
  agent?: string;
  backend?: string;
  cwd?: string;
  model?: string;
  prompt?: string;
  json?: boolean;
}

/** The name that a command on the line is checked under. */
const GIVEN = 'given';

/** `dragoman uap check`: tells an author whether an agent speaks the protocol, rule by rule. */
export async function checkUap(command: readonly string[], options: CheckUapOptions): Promise<void> {
  const given = givenAgent(command, options);
  const { signal } = untilInterrupted();
  const setup = openSetup(options);
  const log = openCommandLog(false);
  let store: Promise<Store> | undefined;
  let calls: AgentCalls | undefined;
  const open = async () => {
    const opened = await openStore(setup.location, { rooms: roomMigrations, onIdleError: () => {} });
    calls = await openAgentCalls(opened, { setup, log });
    return opened;
  };
  try {
    const report = await checkOneAgent({
      openStore: () => (store ??= open()),
      calls: () => calls,
      setup,
      config: () => setup.config.value,
      given,
      name: options.agent ?? GIVEN,
      folder: options.cwd === undefined ? undefined : userPath(options.cwd),
      prompt: options.prompt,
      model: options.model,
      signal,
      log,
      ...(options.json === true ? {} : { report: (step: string) => printError(`… ${step}`) }),
    });
    if (options.json === true) printJson(report);
    else print(formatCheck(report));
    if (!report.isConforming) process.exitCode = EXIT_CODES.failed;
  } finally {
    await calls?.book.usageLog.close();
    await (await store)?.close();
    log.close();
  }
}

/** The agent of the command line, as the configuration would have it; nothing when one is named. */
function givenAgent(command: readonly string[], options: CheckUapOptions): Record<string, AgentConfig> {
  const { agent, backend = 'uap' } = options;
  const [program, ...args] = command;
  if ((agent === undefined) === (program === undefined))
    throw new DragomanError(
      'bad-request',
      'Give the command of an agent, such as "dragoman uap check -- ./agent.sh", or its name with --agent.',
    );
  if (program === undefined) return {};
  const placed = program.includes('/') ? userPath(program) : program;
  return { [GIVEN]: { backend, command: [placed, ...args.map(hereOr)] } };
}

/** The agent works in another folder than this one, so files of this one are named in full. */
function hereOr(word: string): string {
  const path = userPath(word);
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : word;
}
