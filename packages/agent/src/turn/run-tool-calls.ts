import type { AgentError, ToolPart } from '@dragoman/protocol';
import { parseArguments } from '../tools/check-input.ts';
import { runToolCall, type ToolCallSurroundings } from '../tools/run-tool-call.ts';
import type { Tool } from '../tools/tool.ts';
import type { Loop, ProgressGuard } from './progress-guard.ts';
import { refuseCalls } from './refuse-calls.ts';
import { endingOf } from './turn-ending.ts';

/** The calls of one step, and what decides about them. */
export interface ToolCallsOptions {
  /** The calls of the step, in the order in which the model made them. */
  parts: readonly ToolPart[];
  /** Finds a tool the model may use now. */
  find: (id: string) => Tool.Info | undefined;
  /** The names of all of them, to tell a model that got one wrong. */
  names: () => string[];
  guard: ProgressGuard;
  /** Watches calls that cannot be run at all; see `MOST_MISTAKES`. */
  mistakes: ProgressGuard;
  /** May the loop go on? Asked where a person is there and the setting says so; else a loop ends the turn. */
  allowLoop: (loop: Loop, part: ToolPart, abort: AbortSignal) => Promise<boolean>;
  surroundings: ToolCallSurroundings;
}

/**
 * A model that writes arguments nobody can read, or names a tool that is not there, is told so and may find its way: nothing
 * was run, so it has more patience than a call that was. This often the same mistake is a loop all the same.
 */
export const MOST_MISTAKES = 50;

/** So many calls run side by side at most; a model may make thousands at once. */
const MOST_AT_ONCE = 16;

/**
 * Runs the calls of one step and settles every one of them.
 *
 * What changes nothing runs side by side; everything else runs alone and in order. A call that came before waits for
 * what is running, because whether it is a loop is a matter of results. Gives back the error that ends the turn, if any.
 */
export async function runToolCalls(options: ToolCallsOptions): Promise<AgentError | undefined> {
  const { surroundings } = options;
  const { session, abort, now } = surroundings;
  const running = new Set<Promise<void>>();
  options.guard.startStep(options.parts.length);
  let end: AgentError | undefined;

  const refuse = (part: ToolPart, reason: string) => refuseCalls(session, [part], reason, now());

  for (const pending of options.parts) {
    const raw = pending.state.status === 'pending' ? pending.state.raw : '';
    const parsed = parseArguments(raw);
    const input = parsed.isValid ? parsed.input : {};
    session.append({ type: 'tool-call', messageID: pending.messageID, partID: pending.id, input: { ...input } });
    const part: ToolPart = { ...pending, state: { status: 'pending', input: { ...input }, raw } };
    if (end !== undefined || abort.aborted) {
      refuse(part, end === undefined ? 'Interrupted: the turn was cancelled.' : 'Not run: the turn was ended.');
      continue;
    }
    const tool = findTool(pending.tool, options.find);
    const isBeside = tool?.isReadOnly === true || tool?.isConcurrent === true;
    const subject = parsed.isValid ? input : raw;
    const guard = tool !== undefined && parsed.isValid ? options.guard : options.mistakes;
    if (!isBeside || guard.hasSeen(pending.tool, subject)) await Promise.all(running);
    const loop = guard.check(pending.tool, subject);
    if (loop !== undefined && !(await options.allowLoop(loop, part, abort))) {
      end = abort.aborted ? endingOf(abort) : loopError(loop);
      refuse(part, `Not run: ${end.message}`);
      continue;
    }
    const guarded = guard.start(pending.tool, subject);
    if (tool === undefined || !parsed.isValid) {
      const problem = parsed.isValid
        ? `There is no tool named "${pending.tool}". The tools are: ${options.names().join(', ')}.`
        : parsed.problem;
      const note = guarded.settle(problem);
      refuse(part, note === undefined ? problem : `${problem}\n\n[${note}]`);
      continue;
    }
    const call = runToolCall(tool, part, surroundings, ({ result, isError }) =>
      guarded.settle(`${isError}\0${result}`),
    );
    running.add(call);
    call.then(
      () => running.delete(call),
      () => {}, // It stays, and is told to whoever waits for all of them.
    );
    if (!isBeside) await call;
    else if (running.size >= MOST_AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  return end ?? (abort.aborted ? endingOf(abort) : undefined);
}

/** A name in the wrong case is what was meant. */
function findTool(name: string, find: (id: string) => Tool.Info | undefined): Tool.Info | undefined {
  return find(name) ?? find(name.toLowerCase()) ?? find(name.toLowerCase().replaceAll('_', '-'));
}

function loopError({ tool, count, period }: Loop): AgentError {
  const what =
    period === 1
      ? `the tool "${tool}" was called ${count} times in a row with the same input and the same result`
      : `a pattern of ${period} calls that ends with the tool "${tool}" came ${count} times in a row with the same results`;
  return { code: 'loop', message: `The turn was stopped: ${what}.`, details: { tool, count, period } };
}
