import { SessionStore, type SessionRunner } from '@dragoman/agent';
import { DragomanError, type LoggedEvent, type SessionState } from '@dragoman/protocol';
import { namedFolder } from '../choose-folder.ts';
import { EXIT_CODES } from '../exit-code.ts';
import type { CommonOptions } from '../load-setup.ts';
import { oneOffProvider, type OneOffOptions } from '../one-off-provider.ts';
import { type LocalAgent, withLocalAgent } from '../open-local-agent.ts';
import { openRunSession, type RunSessionOptions } from '../open-run-session.ts';
import { RunInHub, type RunResult } from '../run-in-hub.ts';
import { terminalPerson } from '../terminal-person.ts';
import { terminalLooks } from '../terminal-looks.ts';
import { cleanPath } from '../terminal/clean-text.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import { clearPassing, printError, printJson, rawOutput } from '../terminal/print.ts';
import { readPrompt } from '../terminal/read-prompt.ts';
import type { EventView } from '../terminal/terminal-view.ts';
import { UnaskedCalls } from '../unasked-calls.ts';
import { INTERRUPTED_EXIT_CODE, untilInterrupted } from '../until-interrupted.ts';
import { untilReaderLeaves } from '../until-reader-leaves.ts';

export interface RunOptions extends CommonOptions, OneOffOptions, RunSessionOptions {
  model?: string;
  format?: string;
  cwd?: string;
  yes?: boolean;
}

/** `dragoman run`: one prompt to the agent in this folder, and what it does with it, in the terminal. */
export async function run(words: string[], options: RunOptions): Promise<void> {
  const isJson = readFormat(options.format) === 'json';
  if (options.session !== undefined && options.cwd !== undefined)
    throw new DragomanError(
      'bad-request',
      '--cwd and --session cannot be combined: a session always runs in its own folder.',
    );
  if (options.session !== undefined && options.continue === true)
    throw new DragomanError(
      'bad-request',
      '--continue and --session cannot be combined: use --session ID for a specific session, --continue for the latest.',
    );
  const cwd = namedFolder(options.cwd);
  const text = await readPrompt({
    args: words,
    stdin: process.stdin,
    isTTY: process.stdin.isTTY,
    onWaiting: () => printError('dragoman: reading from standard input'),
  });
  if (text === undefined && options.continue !== true && options.session === undefined)
    throw new DragomanError('bad-request', 'Enter a prompt: dragoman run "…"');
  const { overrides, model } = await oneOffProvider(options);
  const [interrupted, reader] = [untilInterrupted(), untilReaderLeaves()];
  const isAttended = !isJson && process.stdin.isTTY && process.stdout.isTTY;
  const unasked = new UnaskedCalls();
  const { view, approver, asker } = isJson ? { view: jsonLines(printJson) } : await openTerminal(isAttended);

  // With --yes nobody wants to be asked.
  const inHub = new RunInHub({ approver, asker: options.yes === true ? undefined : asker });

  let result: RunResult | undefined;
  try {
    result = await withLocalAgent(
      {
        ...options,
        overrides,
        mode: options.yes === true ? 'yes' : isAttended ? 'interactive' : 'headless',
        ...inHub.answers,
        onSession: (runner) => {
          inHub.onSession(runner);
          show(runner, view, isJson);
          runner.subscribe({ event: (logged, state) => unasked.add(logged, toolIn(state)) });
        },
      },
      async (local) => {
        try {
          await inHub.open(local);
          const session = options.session === undefined ? undefined : await inHub.agentSessionOf(options.session);
          let known: string | undefined;
          const runner = await openRunSession(
            local.agent,
            cwd,
            { ...options, ...(session === undefined ? {} : { session }), model },
            {
              onKnown: (id) => inHub.claim((known = id)),
              onFork: async (fork) => {
                if (isJson) await showStored(fork, view, local);
              },
            },
          );
          const place = runner.state.info.cwd;
          if (options.session !== undefined && place !== cwd)
            printError(`dragoman: working in ${cleanPath(place)} (the session's folder)`);
          const signal = AbortSignal.any([interrupted.signal, reader.signal]);
          const forkOf = known === runner.id ? undefined : known;
          return await inHub.prompt(runner, { text: text ?? waitingText(runner), forkOf }, signal);
        } finally {
          await inHub.close();
        }
      },
    );
  } finally {
    view.end();
  }
  // Who reads JSON sees it in the last event; who watches the terminal would see nothing.
  if (isJson && result?.error !== undefined) printError(`dragoman: ${result.error.message}`);
  const refused = unasked.describe();
  if (refused !== undefined) printError(`dragoman: ${refused}`);
  const failure = reader.failure();
  if (failure !== undefined) printError(`dragoman: Cannot write output: ${failure.message}`);
  process.exitCode = interrupted.signal.aborted
    ? INTERRUPTED_EXIT_CODE
    : failure === undefined
      ? exitCodeOf(result, reader.signal.aborted)
      : EXIT_CODES.failed;
}

/** What waits in the session already. */
function waitingText({ id, state }: SessionRunner): string {
  const texts = state.queue.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === 'text' && part.synthetic !== true ? [part.text] : [])),
  );
  if (texts.length > 0) return texts.join('\n\n');
  throw new DragomanError(
    'bad-request',
    `Nothing is queued in session ${id}. Enter a prompt: dragoman run --continue "…"`,
  );
}

/** On a terminal things are shown as they come. What is printed as JSON is stored: whoever reads a line can rely on it. */
function show(runner: SessionRunner, view: EventView, isStoredFirst: boolean): void {
  if (!isStoredFirst) {
    runner.subscribe({ event: (logged, state) => view.event(logged, state) });
    return;
  }
  const { info, seq } = runner.state;
  const first: LoggedEvent = { seq: 1, at: info.time.created, event: { type: 'session-created', session: info } };
  if (seq === 1) view.event(first, runner.state); // It was stored before anybody could be told.
  runner.subscribe({ stored: (events) => events.forEach((logged) => view.event(logged, runner.state)) });
}

/** What a fork begins with. */
async function showStored(runner: SessionRunner, view: EventView, { store }: LocalAgent): Promise<void> {
  for (const logged of await new SessionStore(store).read(runner.id)) view.event(logged, runner.state);
}

/** The tool of a call. */
function toolIn(state: SessionState): (messageID: string, partID: string) => string | undefined {
  return (messageID, partID) => {
    const message = state.messages.findLast(({ info }) => info.id === messageID);
    const part = message?.parts.find(({ id }) => id === partID);
    return part?.type === 'tool' ? part.tool : undefined;
  };
}

async function openTerminal(isAttended: boolean) {
  const { terminalView } = await import('../terminal/terminal-view.ts');
  const { isColored } = terminalLooks();
  clearPassing();
  const view = terminalView({ output: rawOutput, isColored });
  view.wait('starting');
  return { view, ...(isAttended ? terminalPerson(view, isColored) : { approver: undefined, asker: undefined }) };
}

/** Whoever left has what they wanted. */
function exitCodeOf(result: RunResult | undefined, hasReaderLeft: boolean): number {
  return result?.error === undefined || hasReaderLeft ? EXIT_CODES.done : EXIT_CODES.failed;
}

function readFormat(given = 'text'): 'text' | 'json' {
  if (given === 'text' || given === 'json') return given;
  throw new DragomanError('bad-request', `--format ${given}: expected "text" or "json".`);
}
