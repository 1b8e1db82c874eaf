import { DragomanError } from '@dragoman/protocol';
import type { AgentCheck } from '@dragoman/protocol/console';
import type { CheckedRule, CheckReport } from '@dragoman/runner/check';
import { checkOneAgent } from '../check-one-agent.ts';
import { placeAgents } from '../place-agents.ts';
import type { LazyWorkplaceOptions } from './lazy-workplace.ts';
import { readDraft } from './read-draft.ts';

/** Which agent is checked: one that is known by its name, or one that is not saved yet. */
export interface AgentCheckRequest {
  name?: string | undefined;
  agent?: Readonly<Record<string, unknown>> | undefined;
  /** Where it works; an empty folder where none is given. */
  folder: string | undefined;
  signal: AbortSignal;
}

/** The name of an agent that is not saved and comes without one. */
const TRIED = 'tried';
/** Nobody looks at a page for longer. */
const LONGEST_MS = 240_000;
const LIMITS = { start: 60_000, turn: 60_000 };

/** The checks of a server, one at a time: an agent may take all that the machine has. */
export class AgentChecks {
  readonly #options: LazyWorkplaceOptions;
  readonly #longestMs: number;
  #running: Promise<unknown> | undefined;

  constructor(options: LazyWorkplaceOptions, longestMs: number = LONGEST_MS) {
    this.#options = options;
    this.#longestMs = longestMs;
  }

  /** Runs a check. Whatever the agent does, it has ended when this has. */
  async check(request: AgentCheckRequest): Promise<AgentCheck> {
    if (this.#running !== undefined)
      throw new DragomanError('conflict', 'Another agent is being checked. Try again when it is done.');
    const running = this.#run(request);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
    }
  }

  /** Waits until the one that runs has ended; its signal has to say so. */
  async close(): Promise<void> {
    await this.#running?.catch(() => {}); // Who asked for it was told.
  }

  async #run({ name, agent, folder, signal }: AgentCheckRequest): Promise<AgentCheck> {
    if (name === undefined && agent === undefined)
      throw new DragomanError('bad-request', 'Give the name or the settings of an agent.');
    const { store, setup, config, calls, log } = this.#options;
    const called = name ?? TRIED;
    const draft =
      agent === undefined
        ? {}
        : {
            [called]: readDraft(setup.source, { path: ['agents', called], value: agent, field: 'agent' }).agents[
              called
            ]!,
          };
    const limit = AbortSignal.timeout(this.#longestMs);
    try {
      const report = await checkOneAgent({
        openStore: () => Promise.resolve(store),
        setup,
        config,
        calls: () => calls,
        given: placeAgents(draft, setup.source.file),
        name: called,
        folder,
        limits: LIMITS,
        signal: AbortSignal.any([signal, limit]),
        log,
      });
      return toAnswer(report);
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      return { isWell: false, rules: [], problem: tooLong(this.#longestMs) };
    }
  }
}

function toAnswer({ isConforming, rules, problem }: CheckReport): AgentCheck {
  return { isWell: isConforming, rules: rules.map(toRule), ...(problem === undefined ? {} : { problem }) };
}

const OUTCOMES = { passed: 'passed', failed: 'failed', warning: 'warning', 'not-judged': 'skipped' } as const;

/** What was seen, and how to mend it where something is broken. */
function toRule({ id, sentence, status, seen, mend }: CheckedRule): AgentCheck['rules'][number] {
  const isBroken = status === 'failed' || status === 'warning';
  const says = [...seen, ...(isBroken ? [mend] : [])].join('\n');
  return { id, title: sentence, outcome: OUTCOMES[status], ...(says === '' ? {} : { says }) };
}

function tooLong(longestMs: number) {
  return {
    code: 'timed-out',
    message: `The check took longer than ${longestMs / 1000} s, so the agent was stopped.`,
    fix: 'Make sure the agent answers a short prompt within a minute, or run dragoman uap check, which has no time limit.',
  };
}
