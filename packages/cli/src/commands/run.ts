import type { Agent, Approver, SessionRunner, TurnResult } from '@dragoman/agent';
import { DragomanError } from '@dragoman/protocol';
import { namedFolder } from '../choose-folder.ts';
import { EXIT_CODES } from '../exit-code.ts';
import type { CommonOptions } from '../load-setup.ts';
import { oneOffProvider, type OneOffOptions } from '../one-off-provider.ts';
import { withLocalAgent } from '../open-local-agent.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import { readPrompt } from '../terminal/read-prompt.ts';
import type { TerminalView } from '../terminal/terminal-view.ts';
import { INTERRUPTED_EXIT_CODE, untilInterrupted } from '../until-interrupted.ts';

export interface RunOptions extends CommonOptions, OneOffOptions {
  format?: string;
  continue?: boolean;
  session?: string;
  fork?: boolean;
  agent?: string;
  cwd?: string;
  yes?: boolean;
}

/** `dragoman run`: one prompt to the agent in this folder, and what it does with it, in the terminal. */
export async function run(words: string[], options: RunOptions): Promise<void> {
  const format = readFormat(options.format);
  const cwd = namedFolder(options.cwd);
  const text = await readPrompt({ args: words, stdin: process.stdin, isTTY: process.stdin.isTTY });
  if (text === undefined && options.continue !== true && options.session === undefined)
    throw new DragomanError('bad-request', 'Say what to do: dragoman run "…"');
  const { overrides, model } = await oneOffProvider(options);
  const isAttended = format === 'text' && process.stdin.isTTY && process.stdout.isTTY;
  const interrupted = untilInterrupted();
  const view = format === 'text' ? await openView() : undefined;
  const mode = options.yes === true ? 'yes' : isAttended ? 'interactive' : 'headless';

  const result = await withLocalAgent(
    { ...options, overrides, mode, approver: isAttended && view !== undefined ? approver(view) : undefined },
    async ({ agent }) => {
      const runner = await openSession(agent, cwd, options, model);
      if (view === undefined) printJson(runner);
      else runner.subscribe({ event: (logged, state) => view.event(logged, state) });
      interrupted.signal.addEventListener('abort', () => void runner.abort());
      if (text === undefined) runner.resume();
      else await runner.prompt({ text });
      const ended = await runner.idle();
      await runner.close();
      return ended;
    },
  );
  view?.end();
  process.exitCode = exitCodeOf(result, interrupted.signal.aborted);
}

function exitCodeOf(result: TurnResult | undefined, isInterrupted: boolean): number {
  if (isInterrupted) return INTERRUPTED_EXIT_CODE;
  return result?.error === undefined ? EXIT_CODES.done : EXIT_CODES.failed;
}

/** A new session, the latest one of this project, or a named one; or a fork of either. */
async function openSession(
  agent: Agent,
  cwd: string,
  options: RunOptions,
  model: string | undefined,
): Promise<SessionRunner> {
  const changes = { model, agent: options.agent };
  const id = options.session ?? (options.continue === true ? await latestSession(agent, cwd) : undefined);
  if (id === undefined) {
    if (options.fork === true)
      throw new DragomanError('bad-request', '--fork needs a session to begin with: give --continue or --session too.');
    return agent.create({ cwd, ...changes });
  }
  if (options.fork !== true) return agent.open(id, changes);
  const fork = await agent.fork(id);
  return agent.open(fork.id, changes);
}

async function latestSession(agent: Agent, cwd: string): Promise<string> {
  const { root } = await agent.workplace(cwd);
  const [latest] = await agent.list({ root, limit: 1 });
  if (latest === undefined) throw new DragomanError('not-found', `There is no session in ${root} to go on with.`);
  return latest.id;
}

/** What is printed is stored: whoever reads a line can rely on it. */
function printJson(runner: SessionRunner): void {
  const lines = jsonLines((line) => process.stdout.write(line));
  runner.subscribe({ stored: (events) => events.forEach((logged) => lines.event(logged, runner.state)) });
}

async function openView(): Promise<TerminalView> {
  const { terminalView } = await import('../terminal/terminal-view.ts');
  return terminalView({ output: process.stdout, isColored: isColored() });
}

function isColored(): boolean {
  return process.stdout.isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}

function approver(view: TerminalView): Approver {
  // One question at a time, however many calls wait.
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const asked = last.then(async () => {
      const { askApproval } = await import('../terminal/ask-approval.ts');
      const release = view.hold();
      try {
        const reply = await askApproval(
          {
            input: process.stdin,
            output: process.stdout,
            isColored: isColored(),
            signal,
            onInterrupt: () => process.kill(process.pid, 'SIGINT'),
          },
          {
            title: request.title,
            reason: request.reason,
            subjects: request.subjects,
            always: request.always.map(({ tool, pattern }) => `${tool} ${pattern}`),
          },
        );
        if (typeof reply === 'object') return { decision: 'reject' as const, feedback: reply.reject };
        return { decision: reply };
      } finally {
        release();
      }
    });
    last = asked.catch(() => {});
    return asked;
  };
}

function readFormat(given = 'text'): 'text' | 'json' {
  if (given === 'text' || given === 'json') return given;
  throw new DragomanError('bad-request', `--format ${given}: expected "text" or "json".`);
}
