import type { ChannelState } from '../channels/channel.ts';

/**
 * How the bot is: what its connection says, and while that is up, which scope it was refused for.
 *
 * A scope that is missing takes one ability away, not all of them: the rest goes on, and an admin is told which it is.
 */
export class LarkState {
  readonly #tell: (state: ChannelState) => void;
  #state: ChannelState = { type: 'starting' };
  /** What was refused last, by what was to be done. */
  readonly #missing = new Map<string, string>();

  constructor(tell: (state: ChannelState) => void) {
    this.#tell = tell;
  }

  /** What the connection says. */
  tell(state: ChannelState): void {
    this.#state = state;
    this.#publish();
  }

  /** A call to this path was refused, because none of these scopes is granted. */
  lacks(path: string, scopes: readonly string[]): void {
    const [area, name] = [areaOf(path), scopes.join(' or ')];
    if (!NEEDED.has(area) || this.#missing.get(area) === name) return;
    this.#missing.set(area, name);
    if (this.#state.type === 'on') this.#publish();
  }

  /** A call to this path was answered. */
  may(path: string): void {
    if (this.#missing.size > 0 && this.#missing.delete(areaOf(path)) && this.#state.type === 'on') this.#publish();
  }

  #publish(): void {
    const names = [...new Set(this.#missing.values())].join(', ');
    this.#tell(
      this.#state.type === 'on' && names !== ''
        ? {
            type: 'trouble',
            reason: `The app is missing a scope: ${names}. Add it under "Permissions & Scopes" in the developer console and publish a version.`,
          }
        : this.#state,
    );
  }
}

/** What the bot cannot do without; names of people and groups are only nice to have. */
const NEEDED = new Set(['im/v1/images', 'im/v1/files', 'im/v1/messages', 'cardkit/v1/cards']);

function areaOf(path: string): string {
  return path.split('/', 3).join('/');
}
