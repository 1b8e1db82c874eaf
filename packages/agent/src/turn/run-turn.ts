import {
  type AgentError,
  type ModelCall,
  newId,
  NO_TOKENS,
  type SubtaskPart,
  type ToolPart,
  totalTokens,
} from '@dragoman/protocol';
import { inSpan } from '@dragoman/server/base';
import { type AgentModel, costOf, toTokens } from '../agent-model.ts';
import { compactSession } from '../compaction/compact-session.ts';
import { CompactionBreaker } from '../compaction/compaction-breaker.ts';
import { countContext } from '../compaction/count-context.ts';
import { SessionCompaction } from '../compaction/session-compaction.ts';
import { PromptBuilder } from '../prompt/prompt-builder.ts';
import type { AskPerson } from '../question/ask-person.ts';
import { newAssistantInfo } from '../session/assistant-info.ts';
import type { Session } from '../session/session.ts';
import type { Permit } from '../tools/run-tool-call.ts';
import type { OfferedTools } from './offered-tools.ts';
import { type Loop, ProgressGuard } from './progress-guard.ts';
import { openCalls, refuseCalls } from './refuse-calls.ts';
import { askModel } from './run-step.ts';
import { runSubtasks } from './run-subtasks.ts';
import { MOST_MISTAKES, runToolCalls } from './run-tool-calls.ts';
import { TurnBudget } from './turn-budget.ts';
import { endingOf, TurnEnding } from './turn-ending.ts';
import type { TurnSettings } from './turn-settings.ts';

/** Sees which files a step changed. */
export interface StepFiles {
  beforeChange(): Promise<void>;
  afterStep(): Promise<{ before: string; after: string; files: string[] } | undefined>;
}

/** Everything a turn works with. */
export interface TurnOptions {
  session: Session;
  model: AgentModel;
  agent: string;
  system: string;
  tools: OfferedTools;
  permit: Permit;
  /** Absent where nobody can be asked. */
  askPerson?: AskPerson | undefined;
  allowLoop: (loop: Loop, part: ToolPart, abort: AbortSignal) => Promise<boolean>;
  stepFiles: () => StepFiles;
  settings: TurnSettings;
  /** What the agent sets for its model calls. */
  call?: Partial<Pick<ModelCall, 'temperature' | 'topP' | 'reasoningEffort'>>;
  outputFolder: string;
  abort: AbortSignal;
  now?: () => number;
  /** The message that is answered. */
  messageID: string;
  /** The tasks it asks for; they are done first. */
  subtasks?: readonly SubtaskPart[];
  /** Called between two steps: what was sent to steer the turn is taken up here. Gives back whether something was. */
  atBoundary: () => boolean;
}

/**
 * From a prompt until the agent stops. Gives back why it had to stop, or nothing when the agent was done.
 *
 * Ask, run the calls, ask again, until an answer has no calls. It always stops: by itself, by the guard against loops, by the
 * budget, by an error, or because it was cancelled; and every call it made is settled then.
 */
export async function runTurn(options: TurnOptions): Promise<AgentError | undefined> {
  const { session, settings, abort, now = Date.now } = options;
  const budget = new TurnBudget(settings.budget, now);
  const ending = new AbortController();
  const end = (error: AgentError) => ending.abort(new TurnEnding(error));
  const stopWatch = budget.watch(end);
  // What cannot be stored is not worth doing.
  const onFailing = () => end({ code: 'internal', message: (session.failing.reason as Error).message });
  if (session.failing.aborted) onFailing();
  session.failing.addEventListener('abort', onFailing, { once: true });
  const attributes = () => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': options.agent,
    'gen_ai.conversation.id': session.id,
  });
  try {
    return await inSpan(`invoke_agent ${options.agent}`, 'internal', attributes, async (span) => {
      const turn = new Turn({ ...options, abort: AbortSignal.any([abort, ending.signal]) }, budget);
      const error = await turn.run();
      if (error !== undefined) span?.fail(error.code);
      return error;
    });
  } finally {
    stopWatch();
    session.failing.removeEventListener('abort', onFailing);
  }
}

/** What the steps of one turn share. */
class Turn {
  readonly #options: TurnOptions;
  readonly #prompts: PromptBuilder;
  readonly #guard: ProgressGuard;
  readonly #mistakes = new ProgressGuard(MOST_MISTAKES);
  readonly #budget: TurnBudget;
  readonly #breaker = new CompactionBreaker();
  readonly #now: () => number;

  constructor(options: TurnOptions, budget: TurnBudget) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#prompts = new PromptBuilder(options.model);
    this.#guard = new ProgressGuard(options.settings.loop.threshold);
    this.#budget = budget;
  }

  async run(): Promise<AgentError | undefined> {
    const { subtasks = [] } = this.#options;
    if (subtasks.length > 0) await runSubtasks(subtasks, this.#options);
    for (;;) {
      const stop = this.#isOver() ?? (await this.#makeRoom());
      if (stop !== undefined) return stop;
      const step = await this.#step();
      if (step.isTooLong) {
        const error = await this.#compact(true);
        if (error !== undefined) return error;
        continue;
      }
      if (step.error !== undefined) return step.error;
      const isSteered = this.#options.atBoundary();
      if (!step.hasCalls && !isSteered) return undefined;
    }
  }

  #isOver(): AgentError | undefined {
    const { abort } = this.#options;
    return abort.aborted ? endingOf(abort) : this.#budget.exceeded();
  }

  /** Before every call the prompt is counted; the results of the step before are in it by then. */
  async #makeRoom(): Promise<AgentError | undefined> {
    const { model, settings } = this.#options;
    if (!SessionCompaction.isOverflow(this.#count(), model, settings.compaction)) return undefined;
    return this.#compact(false);
  }

  #count = (): number => {
    const { session, tools, system } = this.#options;
    return countContext(
      session.state,
      this.#prompts.build(system, session.state),
      tools.definitions(),
      this.#prompts.convert,
    );
  };

  async #compact(isRefused: boolean): Promise<AgentError | undefined> {
    const { session, model, settings, agent, abort } = this.#options;
    const tripped = this.#breaker.trip(this.#count(), SessionCompaction.usableTokens(model, settings.compaction));
    if (tripped !== undefined) return tripped;
    const done = await compactSession({
      session,
      model,
      settings: settings.compaction,
      agent,
      timeouts: settings.stream,
      retry: settings.retry,
      graceMs: settings.graceMs,
      abort,
      auto: true,
      isRefused,
      count: this.#count,
    });
    this.#budget.spend({ compactions: 1, tokens: done.tokens, cost: done.cost });
    return done.error;
  }

  async #step(): Promise<{ error?: AgentError; hasCalls: boolean; isTooLong?: boolean }> {
    const { session, model, tools, system, call, settings, abort } = this.#options;
    const messageID = this.#startStep();
    const { answer, error } = await askModel({
      session,
      model,
      call: {
        prompt: this.#prompts.build(system, session.state),
        tools: tools.definitions(),
        maxOutputTokens: model.maxOutputTokens,
        ...call,
      },
      messageID,
      timeouts: settings.stream,
      retry: settings.retry,
      graceMs: settings.graceMs,
      abort,
    });
    this.#breaker.stepped();
    const tokens = answer.usage === undefined ? NO_TOKENS : toTokens(answer.usage);
    const cost = costOf(answer.usage, model.price);
    this.#budget.spend({ steps: 1, tokens: totalTokens(tokens), cost: cost.cost });
    const calls = openCalls(session.state.messages.findLast(({ info }) => info.id === messageID));
    // What an answer that broke off had begun to call is not run.
    if (error !== undefined) refuseCalls(session, calls, `Not run: ${error.message}`, this.#now());
    const outcome = error === undefined ? await this.#runCalls(calls) : {};
    const snapshot = await this.#noteChanges(messageID, outcome.files);
    const failure = error ?? outcome.error;
    session.append({
      type: 'finish-step',
      partID: newId('prt'),
      messageID,
      reason:
        failure === undefined ? (answer.finishReason ?? 'other') : failure.code === 'aborted' ? 'aborted' : 'error',
      ...cost,
      tokens,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(failure === undefined ? {} : { error: failure }),
    });
    if (error?.code === 'context-overflow') return { hasCalls: false, isTooLong: true };
    return { hasCalls: calls.length > 0, ...(failure === undefined ? {} : { error: failure }) };
  }

  #startStep(): string {
    const { session, model, agent, messageID: parentID } = this.#options;
    const info = newAssistantInfo(session, { model, agent, parentID, at: this.#now() });
    session.append({ type: 'start-step', partID: newId('prt'), info });
    return info.id;
  }

  async #runCalls(parts: readonly ToolPart[]): Promise<{ error?: AgentError; files?: StepFiles }> {
    if (parts.length === 0) return {};
    const { session, tools, permit, askPerson, allowLoop, settings, agent, outputFolder, abort } = this.#options;
    const files = this.#options.stepFiles();
    const error = await runToolCalls({
      parts,
      find: (id) => tools.find(id),
      names: () => tools.names(),
      guard: this.#guard,
      mistakes: this.#mistakes,
      allowLoop,
      surroundings: {
        session,
        agent,
        permit,
        askPerson,
        outputFolder,
        timeoutMs: settings.toolMs,
        graceMs: settings.graceMs,
        abort,
        now: this.#now,
        beforeChange: () => files.beforeChange(),
      },
    });
    return { files, ...(error === undefined ? {} : { error }) };
  }

  /** A step that changed files leaves their state and their names. */
  async #noteChanges(messageID: string, files: StepFiles | undefined): Promise<string | undefined> {
    const change = await files?.afterStep();
    if (change === undefined) return undefined;
    const { session } = this.#options;
    const base = { sessionID: session.id, messageID };
    session.append({
      type: 'part-added',
      part: { id: newId('prt'), ...base, type: 'snapshot', snapshot: change.after },
    });
    session.append({
      type: 'part-added',
      part: { id: newId('prt'), ...base, type: 'patch', hash: change.before, files: change.files },
    });
    return change.after;
  }
}
