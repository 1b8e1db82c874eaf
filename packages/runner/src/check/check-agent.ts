import { setTimeout as delay } from 'node:timers/promises';
import {
  type AgentBackend,
  type AgentMessage,
  type Approval,
  type BackendEvent,
  type Fault,
  newId,
} from '@dragoman/protocol';
import { turnEndSchema } from '@dragoman/protocol/schemas';
import { toFault } from '../backend/to-fault.ts';
import { type CheckReport, Findings } from './check-report.ts';
import { EventJudge } from './judge-events.ts';
import { processesIn } from './processes-in.ts';
import { type Waited, within } from './within.ts';

/** How long the agent may take for each thing, in milliseconds. */
export interface CheckLimits {
  start: number;
  turn: number;
  cancel: number;
  dispose: number;
  /** How long nothing may be heard after dispose. */
  quiet: number;
  /** How long processes may take to be gone. */
  processes: number;
}

const LIMITS: CheckLimits = {
  start: 60_000,
  turn: 120_000,
  cancel: 10_000,
  dispose: 10_000,
  quiet: 300,
  processes: 3_000,
};

/** What is checked, and how. */
export interface CheckAgentOptions {
  /** Makes the backend; once for the conversation, and once more to resume it. */
  create: () => AgentBackend | Promise<AgentBackend>;
  /** An absolute folder for the agent to work in, best an empty one. */
  cwd: string;
  /** What the agent is asked. It should take the agent a moment, so that it can be called off. */
  prompt?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Takes out of what is reported what nobody may read, such as keys of the agent. */
  hide?: ((text: string) => string) | undefined;
  /** Told what is being done. */
  report?: ((step: string) => void) | undefined;
  limits?: Partial<CheckLimits> | undefined;
}

/** The methods that go with a capability. */
const METHODS = {
  resume: 'resume',
  fork: 'fork',
  steer: 'steer',
  approvals: 'answer',
  models: 'setModel',
  modes: 'setMode',
} as const;

const PROMPT = 'In a few sentences, say what you can do here. Use a tool if you have one.';

/**
 * Leads a backend through a conversation and judges what it emits: two prompts with approvals allowed, one that is
 * called off, resuming where it is declared, and the end. It resolves however badly the backend behaves.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<CheckReport> {
  return new AgentCheck(options).run();
}

class AgentCheck {
  readonly #options: CheckAgentOptions;
  readonly #limits: CheckLimits;
  readonly #findings: Findings;
  readonly #judge: EventJudge;
  readonly #sessionId = newId('ses');
  #messages: AgentMessage[] = [];
  #answers: 'allow' | 'none' = 'allow';
  #onEvent: () => void = () => {};
  #mustResume = false;
  #problem: Fault | undefined;

  constructor(options: CheckAgentOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#findings = new Findings(options.hide);
    this.#judge = new EventJudge(this.#findings);
  }

  async run(): Promise<CheckReport> {
    const before = processesIn(this.#options.cwd);
    await this.#converse('start', async (backend) => {
      if (!(await this.#turn(backend, 'first prompt'))) return;
      if (!(await this.#turn(backend, 'second prompt'))) return;
      await this.#cancelTurn(backend);
    });
    const id = this.#judge.agentSessionId;
    if (this.#mustResume && id === undefined)
      this.#findings.judge('resume-works', false, 'resume is declared, but no agentSessionId was told');
    else if (this.#mustResume) {
      await this.#converse('resume', async (backend) => {
        await this.#turn(backend, 'prompt after resuming');
      });
    } else this.#findings.pass('resume-works', 'resume is not declared');
    await this.#judgeProcesses(before);
    await this.#forget();
    const rules = this.#findings.rules();
    return {
      isConforming: rules.every(({ status }) => status !== 'failed'),
      rules,
      events: this.#judge.events,
      messages: this.#messages,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  /** What was said was said to find something out; nobody looks for it among the sessions. */
  async #forget(): Promise<void> {
    const id = this.#judge.agentSessionId;
    if (id === undefined) return;
    const forget = async () => {
      const backend = await this.#options.create();
      try {
        await backend.forget?.(id);
      } finally {
        await backend.dispose();
      }
    };
    await within(forget, this.#limits.dispose, undefined); // An agent that cannot is judged by its rules all the same.
  }

  /** A backend from its beginning to its end. */
  async #converse(how: 'start' | 'resume', talk: (backend: AgentBackend) => Promise<void>): Promise<void> {
    const { cwd, model, mode, signal } = this.#options;
    const backend = await this.#options.create();
    let isDisposed = false;
    const emit = (event: BackendEvent) => {
      if (isDisposed) this.#findings.judge('silent-after-dispose', false, `${event.type} was emitted after dispose()`);
      else this.#hear(backend, event);
    };
    const session = { sessionId: this.#sessionId, cwd, model, mode, emit };
    try {
      this.#report(how === 'start' ? 'starting the agent' : 'resuming the session');
      const open = () =>
        how === 'start' ? backend.start(session) : backend.resume!(session, this.#judge.agentSessionId!);
      const opened = await within(open, this.#limits.start, signal);
      const rule = how === 'start' ? 'starts-in-time' : 'resume-works';
      this.#findings.judge(rule, opened.type === 'value', () => explain(opened, this.#limits.start));
      if (opened.type === 'error') this.#noteProblem(toFault(opened.error));
      if (opened.type !== 'value') return;
      this.#judgeCapabilities(backend);
      if (how === 'start') this.#mustResume = backend.capabilities.resume === true && backend.resume !== undefined;
      await talk(backend);
    } finally {
      this.#report('ending the agent');
      for (const time of ['first', 'second']) {
        const ended = await within(() => backend.dispose(), this.#limits.dispose, undefined);
        isDisposed = true;
        const seen = () => `the ${time} dispose(): ${explain(ended, this.#limits.dispose)}`;
        this.#findings.judge('dispose-ends', ended.type === 'value', seen);
      }
      await delay(this.#limits.quiet);
      this.#findings.judge('silent-after-dispose', true, '');
    }
  }

  /** A turn that is let be. False when it makes no sense to go on. */
  async #turn(backend: AgentBackend, name: string): Promise<boolean> {
    this.#report(name);
    this.#answers = 'allow';
    this.#judge.beginTurn();
    const ended = await within(() => backend.prompt(this.#prompt()), this.#limits.turn, this.#options.signal);
    const end = ended.type === 'value' ? turnEndSchema.safeParse(ended.value) : undefined;
    this.#findings.judge('turn-ends', end?.success === true, () =>
      ended.type === 'value'
        ? `${name}: it ended with ${JSON.stringify(ended.value)}`
        : `${name}: ${explain(ended, this.#limits.turn)}`,
    );
    if (end?.data === undefined) return false;
    if (end.data.error !== undefined) this.#noteProblem(end.data.error);
    this.#findings.judge('turn-done', end.data.reason === 'done', `${name}: it ended with ${JSON.stringify(end.data)}`);
    this.#findings.judge(
      'says-something',
      this.#judge.hasSpoken || end.data.reason !== 'done',
      `${name}: the turn is done, and nothing was said`,
    );
    const messages = this.#judge.endTurn(name);
    if (this.#messages.length === 0) this.#messages = messages;
    return true;
  }

  async #cancelTurn(backend: AgentBackend): Promise<void> {
    const name = 'cancelled prompt';
    this.#report('a prompt that is called off');
    this.#answers = 'none';
    this.#judge.beginTurn();
    const turn = (async () => backend.prompt(this.#prompt()))();
    const spoken = Promise.withResolvers<'spoken'>();
    this.#onEvent = () => this.#judge.hasSpoken && spoken.resolve('spoken');
    await within(() => Promise.race([turn, spoken.promise]), this.#limits.turn, this.#options.signal);
    this.#onEvent = () => {};
    // A turn that ends with its first words cannot be called off.
    const isOver = await Promise.race([turn.then(isTrue, isTrue), delay(1)]);
    if (isOver === true) {
      this.#findings.pass(
        'cancel-ends-turn',
        'the turn was over before it could be called off; give a prompt that takes longer',
      );
      this.#judge.endTurn(name);
      return;
    }
    const cancelled = within(() => backend.cancel(), this.#limits.cancel, this.#options.signal);
    const ended = await within(() => turn, this.#limits.cancel, this.#options.signal);
    const ok = await cancelled;
    const isCancelled = ended.type === 'value' && ended.value.reason === 'cancelled';
    this.#findings.judge('cancel-ends-turn', isCancelled, () =>
      ended.type === 'value' ? `it ended with ${JSON.stringify(ended.value)}` : explain(ended, this.#limits.cancel),
    );
    this.#findings.judge(
      'cancel-ends-turn',
      ok.type === 'value',
      () => `cancel(): ${explain(ok, this.#limits.cancel)}`,
    );
    if (ended.type === 'value') this.#judge.endTurn(name);
  }

  #hear(backend: AgentBackend, event: BackendEvent): void {
    this.#judge.push(event);
    this.#onEvent();
    if (event.type === 'approval-asked' && this.#answers === 'allow') void this.#allow(backend, event.approval);
  }

  /** Says yes, twice: the second time must not matter. */
  async #allow(backend: AgentBackend, approval: Approval): Promise<void> {
    const option =
      approval.options?.find(({ kind }) => kind === 'allow_once') ??
      approval.options?.find(({ kind }) => kind === 'allow_always' || kind === 'answer');
    if (option === undefined) return;
    this.#findings.judge(
      'approvals-answerable',
      backend.answer !== undefined,
      'an approval was asked, but there is no answer()',
    );
    for (const time of ['first', 'second']) {
      const reply = { type: 'selected', optionId: option.id } as const;
      const taken = await within(async () => backend.answer?.(approval.id, reply), this.#limits.turn, undefined);
      const seen = () => `the ${time} answer to ${approval.id}: ${explain(taken, this.#limits.turn)}`;
      this.#findings.judge('approvals-once', taken.type === 'value', seen);
      this.#judge.answered(approval.id);
    }
  }

  #judgeCapabilities(backend: AgentBackend): void {
    for (const [capability, method] of Object.entries(METHODS) as [keyof typeof METHODS, keyof AgentBackend][]) {
      // A backend that drives many agents has more methods than each of them declares; nobody calls those.
      const isKept = backend.capabilities[capability] !== true || backend[method] !== undefined;
      this.#findings.judge(
        'capabilities-match',
        isKept,
        `${capability} is declared, and ${String(method)}() is not there`,
      );
    }
  }

  async #judgeProcesses(before: Map<string, string> | undefined): Promise<void> {
    if (before === undefined) {
      this.#findings.pass('no-process-left', 'this system does not tell which processes work in a folder');
      return;
    }
    const left = () => [...(processesIn(this.#options.cwd) ?? [])].filter(([key]) => !before.has(key));
    const deadline = Date.now() + this.#limits.processes;
    while (left().length > 0 && Date.now() < deadline) await delay(50);
    this.#findings.judge('no-process-left', left().length === 0, () =>
      left()
        .map(([, text]) => text)
        .join(', '),
    );
  }

  #prompt() {
    return { id: newId('msg'), content: [{ type: 'text' as const, text: this.#options.prompt ?? PROMPT }] };
  }

  /** The first one is what the others come from. */
  #noteProblem({ code, message, fix }: Fault): void {
    const { hide = (text) => text } = this.#options;
    this.#problem ??= { code, message: hide(message), ...(fix === undefined ? {} : { fix: hide(fix) }) };
  }

  #report(step: string): void {
    this.#options.report?.(step);
  }
}

const isTrue = () => true as const;

function explain(waited: Waited<unknown>, limitMs: number): string {
  if (waited.type === 'error') return `it failed: ${waited.text}`;
  return `it took more than ${limitMs / 1000} s`;
}
