import type { Update } from 'grammy/types';
import type { ChannelHost, ChannelState, WebhookAnswer } from '../channels/channel.ts';
import { failsByItself, hearUpdate, MAX_ATTEMPTS, passOver, troubleOf, type UpdateEars } from './hear-updates.ts';

/** Of so many updates it is remembered how often they failed. */
const MAX_REMEMBERED = 100;

/**
 * Hears what Telegram calls with. Without a yes Telegram sends it again, for a day, which is right for what was not stored;
 * what fails by itself gets its yes after a few attempts, since Telegram holds back what is behind it.
 */
export class WebhookHearing {
  readonly #tell: ChannelHost['tell'];
  readonly #failures = new Map<number, number>();
  #isInTrouble = false;

  constructor(tell: ChannelHost['tell']) {
    this.#tell = tell;
  }

  /** Hears an update, and gives what the call is answered with. */
  async hear(update: Update, ears: UpdateEars): Promise<WebhookAnswer> {
    const { update_id: id } = update;
    try {
      await hearUpdate(update, [], ears);
      if (this.#isInTrouble) this.#tell({ type: 'on' });
      this.#isInTrouble = false;
    } catch (error) {
      const failures = failsByItself(error) ? (this.#failures.get(id) ?? 0) + 1 : 0;
      this.#failures.delete(id);
      if (failures < MAX_ATTEMPTS) {
        if (failures > 0) this.#remember(id, failures);
        else if (!ears.host.signal.aborted) this.refuse({ type: 'trouble', reason: troubleOf(error) });
        return { status: 503 };
      }
      passOver(update, error, ears);
    }
    this.#failures.delete(id);
    return { status: 200, body: {} };
  }

  /** Nothing can be heard now, and why is told until something is. */
  refuse(state: ChannelState): WebhookAnswer {
    this.#isInTrouble = true;
    this.#tell(state);
    return { status: 503 };
  }

  #remember(id: number, failures: number): void {
    this.#failures.set(id, failures);
    if (this.#failures.size > MAX_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
