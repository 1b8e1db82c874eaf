import { DragomanError } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionSearch } from '../search/session-search.ts';
import type { Channel, ChannelHost, ChannelKind, ChannelState, WebhookAnswer, WebhookRequest } from './channel.ts';
import { ChannelDesk } from './channel-desk.ts';
import { ChannelLease } from './channel-lease.ts';
import { DeliveryError } from './delivery-error.ts';
import type { DeskClock } from './desk-clock.ts';
import type { Heard, PressAnswer } from './heard.ts';
import type { Transcribe } from './open-channels.ts';
import type { SessionWatches } from './session-watch.ts';

/** What a channel that is configured stands on. */
export interface RunningChannelOptions {
  kind: ChannelKind;
  settings: unknown;
  parts: HubParts;
  search: SessionSearch;
  transcribe: Transcribe | undefined;
  watches: SessionWatches;
  clock: DeskClock;
  /** This process. */
  holder: string;
  wake(chatId: string): void;
}

/** What could not be opened, or does not hear, is tried again after this. */
const RETRY_MS = 60_000;

/**
 * A channel with its settings, for as long as they are so: open in every process, and in the one that has the lease it hears
 * and delivers.
 */
export class RunningChannel {
  readonly #options: RunningChannelOptions;
  readonly #closing = new AbortController();
  readonly #lease: ChannelLease;
  readonly #finished: Promise<void>;
  #opening: Promise<Channel> | undefined;
  #channel: Channel | undefined;
  #desk: ChannelDesk | undefined;
  /** What the channel itself says of how it is, and what its desks have met. */
  #told: ChannelState = { type: 'starting' };
  #met: ChannelState | undefined;
  /** How it was when that was last written into the log. */
  #logged: ChannelState = { type: 'starting' };

  constructor(options: RunningChannelOptions) {
    this.#options = options;
    const { parts, clock, kind, holder } = options;
    const { db, engine, logger } = parts;
    this.#lease = new ChannelLease({ db, engine, logger, clock, channel: kind.name, holder });
    // Whoever holds the lease tells what is wrong.
    this.#open().catch(() => {});
    this.#finished = this.#lease.run((signal) => this.#work(signal), this.#closing.signal);
  }

  /** The open channel; nothing while it is not. */
  get channel(): Channel | undefined {
    return this.#channel;
  }

  /** What works here for its chats; nothing where another process does. */
  get desk(): ChannelDesk | undefined {
    return this.#desk;
  }

  async receive(request: WebhookRequest): Promise<WebhookAnswer> {
    let channel: Channel;
    try {
      channel = await this.#open();
    } catch (cause) {
      const { title } = this.#options.kind;
      throw new DragomanError('unavailable', `${title} is not running yet. See Settings → Channels.`, {
        cause,
        isRetryable: true,
      });
    }
    return channel.receive(request);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#finished;
    await this.#shut();
  }

  /** Hears and delivers, as long as this process has the lease. */
  async #work(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      [this.#told, this.#met] = [{ type: 'starting' }, undefined];
      try {
        const channel = await this.#open();
        await this.#workWith(channel, signal);
      } catch (err) {
        if (signal.aborted) break;
        const isHopeless = err instanceof DeliveryError && err.problem.type === 'revoked';
        const reason = err instanceof Error ? err.message : String(err);
        this.#met = { type: isHopeless ? 'failed' : 'trouble', reason };
        this.#publish();
        await clock.wait(RETRY_MS, signal).catch(() => {});
      }
      // What has begun to hear can only be ended as a whole; webhooks are answered by another one.
      await this.#shut();
    }
  }

  async #workWith(channel: Channel, signal: AbortSignal): Promise<void> {
    const { kind, parts, watches, clock } = this.#options;
    const desk = new ChannelDesk({
      name: kind.name,
      channel,
      parts,
      watches,
      clock,
      tell: (state) => {
        this.#met = state;
        this.#publish();
      },
    });
    this.#desk = desk;
    try {
      await desk.start();
      await Promise.race([channel.listen(), aborted(signal)]);
      await aborted(signal);
    } finally {
      this.#desk = undefined;
      await desk.close();
    }
  }

  #open(): Promise<Channel> {
    this.#opening ??= this.#openNew().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openNew(): Promise<Channel> {
    this.#closing.signal.throwIfAborted();
    const { kind, settings, parts } = this.#options;
    const host: ChannelHost = {
      hear: (heard) => this.#hear(heard),
      tell: (state) => {
        this.#told = state;
        this.#publish();
      },
      publicUrl: parts.config().server?.publicUrl,
      log: parts.logger,
      now: parts.now,
      signal: this.#closing.signal,
    };
    this.#channel = await kind.open(settings, host);
    return this.#channel;
  }

  async #shut(): Promise<void> {
    const channel = await this.#opening?.catch(() => undefined);
    [this.#channel, this.#opening] = [undefined, undefined];
    const { kind, parts } = this.#options;
    await channel
      ?.close()
      .catch((err: unknown) => parts.logger.warn({ err, channel: kind.name }, 'a channel could not be closed'));
  }

  async #hear(heard: Heard): Promise<PressAnswer | undefined> {
    const { kind, parts, search, transcribe, wake, clock } = this.#options;
    const { hearPerson } = await import('./people/hear-person.ts');
    const channel = { name: kind.name, open: await this.#open() };
    return hearPerson({ parts, search, channel, wake, transcribe, clock, signal: this.#closing.signal }, heard);
  }

  #publish(): void {
    const state = this.#met ?? this.#told;
    this.#lease.tell(state);
    // Every process has the channel open; the one that works for it tells.
    if (this.#lease.isHeld) this.#logState(state);
  }

  /** One line for each trouble, and one when it is over. */
  #logState(state: ChannelState): void {
    const { kind, parts } = this.#options;
    const before = this.#logged;
    if (state.type === 'starting' || JSON.stringify(state) === JSON.stringify(before)) return;
    this.#logged = state;
    const channel = kind.name;
    if (state.type === 'failed')
      parts.logger.warn({ channel, reason: state.reason }, 'a channel failed and needs attention');
    else if (state.type === 'trouble')
      parts.logger.warn({ channel, reason: state.reason }, 'a channel has problems; retrying');
    else if (before.type === 'failed' || before.type === 'trouble')
      parts.logger.info({ channel }, 'a channel works again');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
