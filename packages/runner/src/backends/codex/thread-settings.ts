import type { CodexAgent } from './codex-agent.ts';
import { findMode } from './codex-modes.ts';

/** What a session was told to use. */
interface Chosen {
  model: string | undefined;
  mode: string | undefined;
}

/**
 * The settings of a thread. Codex takes them when a thread is opened, and later with the next turn, from where on they
 * stay. What is not told is as the person's own configuration of Codex has it.
 */
export class ThreadSettings {
  readonly #agent: CodexAgent;
  #chosen: Chosen;
  /** What was chosen since the last turn. */
  #news: Record<string, unknown> = {};

  constructor(agent: CodexAgent, chosen: Chosen) {
    this.#agent = agent;
    this.#chosen = chosen;
  }

  /** What was chosen. */
  get chosen(): Chosen {
    return this.#chosen;
  }

  /** What the session says counts more than the configuration. */
  prefer({ model, mode }: Partial<Chosen>): void {
    this.#chosen = { model: model ?? this.#chosen.model, mode: mode ?? this.#chosen.mode };
  }

  /** Chooses something for the turns to come. */
  choose(about: 'model' | 'mode', value: string): void {
    if (about === 'model') this.#news = { ...this.#news, model: value };
    else {
      const { approvalPolicy, sandboxPolicy } = findMode(value);
      this.#news = { ...this.#news, approvalPolicy, sandboxPolicy };
    }
    this.#chosen = { ...this.#chosen, [about]: value };
  }

  /** What a thread is opened with. */
  forThread(): object {
    const { model, mode } = this.#chosen;
    const { config } = this.#agent;
    const { approvalPolicy, sandbox } = mode === undefined ? this.#agent : findMode(mode);
    this.#news = {};
    return {
      ...(model === undefined ? {} : { model }),
      ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(Object.keys(config).length === 0 ? {} : { config }),
    };
  }

  /** What a turn is begun with. */
  forTurn(): object {
    const { effort } = this.#agent;
    const news = this.#news;
    this.#news = {};
    return { ...(effort === undefined ? {} : { effort }), ...news };
  }
}
