import { setTimeout as delay } from 'node:timers/promises';
import type { BackendEvent, ContentBlockOf } from '@dragoman/protocol';
import type { BlockWriter } from '../../backend/block-writer.ts';
import { countIn, type Fields, fieldsIn, listIn, textIn } from '../../backend/fields.ts';
import { readChoices, type SessionChoices, tellChoices } from './session-choices.ts';
import type { ToolCalls } from './tool-calls.ts';
import { toAttachment } from './tool-content.ts';

/** Where what the agent tells goes to. */
export interface SessionUpdatesOptions {
  writer: BlockWriter;
  calls: ToolCalls;
  emit: (event: BackendEvent) => void;
}

type Usage = Omit<ContentBlockOf<'usage'>, 'type'>;
type PlanEntry = ContentBlockOf<'plan'>['entries'][number];

const PLAN_STATES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'cancelled']);
const PRIORITIES: ReadonlySet<string> = new Set(['high', 'medium', 'low']);
/** How long the agent is quiet between turns before what it said there is taken for whole. */
const QUIET_MS = 1_000;
/** After so long without a word of it, the history of a session has been told; and after that long in any case. */
const SILENCE_MS = 300;
/** Silence is counted in steps, between which what the agent told is read. */
const SILENCE_STEP_MS = 50;
const MOST_HISTORY_MS = 20_000;

/**
 * The updates of a session as blocks and as news of the agent.
 *
 * While a session is opened the agent may tell its whole history again, which everybody has seen: then only what is about
 * the session as it is now counts. Kinds of updates that nobody here knows are passed over.
 */
export class SessionUpdates {
  readonly #options: SessionUpdatesOptions;
  #choices: SessionChoices = { model: undefined, mode: undefined };
  #messageId: string | undefined;
  #phase: 'opening' | 'turn' | 'idle' = 'opening';
  #quiet: NodeJS.Timeout | undefined;
  /** How much was told of the history of a session that was opened again. */
  #toldOfPast = 0;
  /** All that the session has cost, where the agent tells it; what a turn took is the difference. */
  #costSoFar: number | undefined;
  #usage: Usage = {};

  constructor(options: SessionUpdatesOptions) {
    this.#options = options;
  }

  /** What people can choose now. */
  get choices(): SessionChoices {
    return this.#choices;
  }

  /** A session is being opened, from nothing or again. `isNew`: it has cost nothing yet. */
  opening(isNew: boolean): void {
    this.#phase = 'opening';
    this.#costSoFar = isNew ? 0 : undefined;
    this.#usage = {};
  }

  /** Resolves when the agent tells nothing of its history any more. */
  async untilSilent(): Promise<void> {
    const until = performance.now() + MOST_HISTORY_MS;
    for (let silentMs = 0; silentMs < SILENCE_MS && performance.now() < until;) {
      const told = this.#toldOfPast;
      await delay(SILENCE_STEP_MS);
      // However long this process was busy meanwhile: it has listened for one step.
      silentMs = told === this.#toldOfPast ? silentMs + SILENCE_STEP_MS : 0;
    }
  }

  /** It is open; the agent's answer tells what can be chosen. An agent that `mayTellPast` is not heard before its first turn. */
  opened(answer: Fields, { mayTellPast = false } = {}): void {
    this.#phase = mayTellPast ? 'opening' : 'idle';
    this.learnChoices(answer);
  }

  turnStarted(): void {
    this.#endQuiet();
    this.#phase = 'turn';
  }

  /** Closes what is open, and tells what the turn took. */
  turnOver(answer: Fields = {}): void {
    this.#learnUsage(fieldsIn(answer, 'usage'));
    this.#phase = 'idle';
    this.#messageId = undefined;
    this.#options.writer.closeAll();
    this.#sayUsage();
    this.#options.calls.turnOver();
  }

  /** Between turns too, nothing stays open when nobody listens any more. */
  close(): void {
    this.#endQuiet();
  }

  /** Options that the agent answered with, or told on its own. */
  learnChoices(told: Fields): void {
    const before = this.#choices;
    this.#choices = readChoices(told, before);
    if (this.#choices.model !== before.model || this.#choices.mode !== before.mode)
      this.#options.emit(tellChoices(this.#choices));
  }

  /** What was chosen, where the agent does not tell it again. */
  learnCurrent(about: 'model' | 'mode', value: string): void {
    const choice = this.#choices[about];
    if (choice?.current === value) return;
    if (choice !== undefined) this.#choices = { ...this.#choices, [about]: { ...choice, current: value } };
    this.#options.emit({ type: 'agent-updated', [about]: value });
  }

  /** Takes one update. */
  take(update: Fields): void {
    switch (update['sessionUpdate']) {
      case 'available_commands_update':
        return this.#options.emit({ type: 'agent-updated', commands: readCommands(update) });
      case 'current_mode_update': {
        const mode = textIn(update, 'currentModeId') ?? textIn(update, 'modeId');
        return mode === undefined ? undefined : this.learnCurrent('mode', mode);
      }
      case 'config_option_update':
        return this.learnChoices(update);
      case 'session_info_update': {
        const title = textIn(update, 'title');
        return title === undefined ? undefined : this.#options.emit({ type: 'agent-updated', title });
      }
      case 'usage_update':
        return this.#takeUsage(update);
      default:
        if (this.#phase === 'opening') this.#toldOfPast += 1;
        else this.#say(update);
    }
  }

  #say(update: Fields): void {
    const { writer, calls } = this.#options;
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#sayChunk(update);
        break;
      case 'tool_call':
      case 'tool_call_update':
        calls.take(update);
        break;
      case 'plan':
        writer.plan(readPlan(update));
        break;
      case 'notice':
        writer.notice(
          [textIn(update, 'title'), textIn(update, 'description')].filter(Boolean).join(': '),
          textIn(update, 'severity') === 'info' ? 'info' : 'warning',
        );
        break;
      case 'compaction_update':
        if (textIn(update, 'status') === 'completed') writer.notice('The conversation so far was summed up.', 'info');
        break;
      default: // What the user said is known, and of the rest nothing is.
    }
    if (this.#phase === 'idle') this.#startQuiet();
  }

  #sayChunk(update: Fields): void {
    const { writer } = this.#options;
    const messageId = textIn(update, 'messageId');
    if (messageId !== undefined && this.#messageId !== undefined && messageId !== this.#messageId) writer.nextMessage();
    this.#messageId = messageId ?? this.#messageId;
    const content = fieldsIn(update, 'content');
    const text = textIn(content, 'text');
    if (content['type'] !== 'text' || text === undefined) {
      const attachment = toAttachment(content);
      if (attachment !== undefined) writer.whole('assistant', attachment);
    } else if (update['sessionUpdate'] === 'agent_message_chunk') writer.text(text);
    else writer.thinking(text);
  }

  #takeUsage(update: Fields): void {
    const [used, size] = [countIn(update, 'used'), countIn(update, 'size')];
    const cost = fieldsIn(update, 'cost');
    const amount = (textIn(cost, 'currency') ?? 'USD') === 'USD' ? countIn(cost, 'amount') : undefined;
    const took = amount === undefined || this.#costSoFar === undefined ? 0 : Math.max(0, amount - this.#costSoFar);
    this.#costSoFar = amount ?? this.#costSoFar;
    this.#usage = {
      ...this.#usage,
      ...(used === undefined ? {} : { context_used: used }),
      ...(size === undefined || size === 0 ? {} : { context_size: size }),
      ...(took === 0 ? {} : { cost_usd: (this.#usage.cost_usd ?? 0) + took }),
    };
    if (this.#phase === 'idle') this.#sayUsage();
    if (this.#phase === 'opening') this.#usage = {};
  }

  #learnUsage(usage: Fields): void {
    const names = {
      input_tokens: 'inputTokens',
      output_tokens: 'outputTokens',
      reasoning_tokens: 'thoughtTokens',
      cache_read_tokens: 'cachedReadTokens',
      cache_write_tokens: 'cachedWriteTokens',
    } as const;
    for (const [ours, theirs] of Object.entries(names)) {
      const count = countIn(usage, theirs);
      if (count !== undefined && count > 0) this.#usage = { ...this.#usage, [ours]: count };
    }
  }

  #sayUsage(): void {
    if (Object.keys(this.#usage).length > 0) this.#options.writer.usage(this.#usage);
    this.#usage = {};
  }

  #startQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#endQuiet(), QUIET_MS).unref();
  }

  #endQuiet(): void {
    if (this.#quiet === undefined) return;
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
    this.#options.writer.closeAll();
  }
}

function readCommands(update: Fields): { name: string; description?: string }[] {
  return listIn(update, 'availableCommands').flatMap((command) => {
    const [name, description] = [textIn(command, 'name'), textIn(command, 'description')];
    return name === undefined ? [] : [{ name, ...(description === undefined ? {} : { description }) }];
  });
}

function readPlan(update: Fields): PlanEntry[] {
  return listIn(update, 'entries').map((entry) => {
    const [status, priority] = [textIn(entry, 'status') ?? '', textIn(entry, 'priority') ?? ''];
    return {
      content: textIn(entry, 'content') ?? '',
      status: (PLAN_STATES.has(status) ? status : 'pending') as PlanEntry['status'],
      ...(PRIORITIES.has(priority) ? { priority: priority as NonNullable<PlanEntry['priority']> } : {}),
    };
  });
}
