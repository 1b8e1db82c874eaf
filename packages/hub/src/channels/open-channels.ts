import { createHash } from 'node:crypto';
import { DragomanError } from '@dragoman/protocol';
import { endHolder, newHolder, Secret, storeTime } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import type { SessionSearch } from '../search/session-search.ts';
import type { Channel, ChannelKind, ChannelState, WebhookAnswer, WebhookRequest } from './channel.ts';
import { readChannelState } from './channel-lease.ts';
import { type DeskClock, wallClock } from './desk-clock.ts';
import { Notices } from './notices.ts';
import { RunningChannel } from './running-channel.ts';
import { SessionWatches } from './session-watch.ts';

/** Writes a voice message down. */
export type Transcribe = (
  voice: { bytes: Uint8Array; mediaType: string; name: string },
  signal: AbortSignal,
) => Promise<string>;

/** What the channels stand on. */
export interface ChannelsOptions {
  parts: HubParts;
  search: SessionSearch;
  kinds: readonly ChannelKind[];
  transcribe?: Transcribe | undefined;
  /** The clock on the wall where nothing is said. */
  clock?: DeskClock | undefined;
}

/** What is told on the topic `chats`; the names are short because they travel. */
type Told =
  | { channel: string; chatId: string }
  | { channel: string; isSetUp: true }
  | { sessionId: string; approvalId: string };

/** Every channel of this process: those that are configured are open, and follow the configuration. */
export class Channels {
  readonly notices: Notices;
  readonly #options: ChannelsOptions;
  readonly #clock: DeskClock;
  readonly #watches: SessionWatches;
  readonly #holder = newHolder();
  readonly #running = new Map<string, { running: RunningChannel; fingerprint: string }>();
  readonly #unhear: () => void;
  /** Channels are closed and opened one after the other. */
  #changing: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** Opens what is configured. A token that is wrong is a state of its channel, and no error here. */
  static async open(options: ChannelsOptions): Promise<Channels> {
    const channels = new Channels(options);
    channels.refresh();
    await channels.#changing;
    channels.notices.wake();
    return channels;
  }

  private constructor(options: ChannelsOptions) {
    const { parts } = options;
    this.#options = options;
    this.#clock = options.clock ?? wallClock(parts.now);
    this.#watches = new SessionWatches(parts);
    this.notices = new Notices(
      parts,
      () => [...this.#running.keys()],
      ({ channel, chatId }) => this.wake(channel, chatId),
    );
    this.#unhear = parts.feed.hear('chats', (payload) => this.#hear(payload));
  }

  /** Anything is configured at all. */
  get isAnyOn(): boolean {
    return this.#running.size > 0;
  }

  /** The configuration may have changed: what is set otherwise is closed and opened anew. */
  refresh(): void {
    this.#changing = this.#changing.then(() => this.#change());
  }

  /** A webhook call. */
  async receive(name: string, request: WebhookRequest): Promise<WebhookAnswer> {
    const found = this.#running.get(name);
    if (found === undefined)
      throw new DragomanError('not-found', `There is no channel named ${JSON.stringify(name.slice(0, 40))}.`);
    return found.running.receive(request);
  }

  /** Every kind there is. */
  list(): readonly { kind: ChannelKind; channel: Channel | undefined; isConfigured: boolean }[] {
    return this.#options.kinds.map((kind) => ({
      kind,
      channel: this.#running.get(kind.name)?.running.channel,
      isConfigured: this.#settingsOf(kind.name) !== undefined,
    }));
  }

  /** How a channel is, whichever process works for it. */
  async stateOf(name: string): Promise<{ type: 'off' | ChannelState['type']; reason?: string; since?: number }> {
    if (this.#settingsOf(name) === undefined) return { type: 'off' };
    const { db, engine } = this.#options.parts;
    return readChannelState(db, name, storeTime(engine, this.#clock.now));
  }

  /** Something is to be said or shown in a chat; called after the commit. */
  wake(name: string, chatId: string): void {
    this.#tell({ channel: name, chatId });
  }

  /** An admin is at work on the set-up of a channel; a webhook of it may call any process. */
  expectSetup(name: string): void {
    this.#tell({ channel: name, isSetUp: true });
  }

  /** A question was decided; called after the commit. */
  wakeAsked(sessionId: string, approvalId: string): void {
    this.#tell({ sessionId, approvalId });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unhear();
    await this.notices.close();
    await this.#changing;
    await Promise.all([...this.#running.values()].map(({ running }) => running.close()));
    this.#running.clear();
    endHolder(this.#holder);
    this.#watches.close();
  }

  #tell(told: Told): void {
    this.#options.parts.feed.tell('chats', JSON.stringify(told));
  }

  #hear(payload: string | undefined): void {
    const { logger } = this.#options.parts;
    const failed = (err: unknown) => logger.warn({ err }, 'could not wake the chats');
    if (payload === undefined) {
      this.notices.wake();
      for (const { running } of this.#running.values()) running.desk?.wakeAll().catch(failed);
      return;
    }
    const told = JSON.parse(payload) as Told;
    if ('chatId' in told) this.#running.get(told.channel)?.running.desk?.wake(told.chatId);
    else if ('isSetUp' in told) this.#running.get(told.channel)?.running.channel?.expectSetup?.();
    else
      for (const { running } of this.#running.values())
        running.desk?.wakeAsked(told.sessionId, told.approvalId).catch(failed);
  }

  async #change(): Promise<void> {
    if (this.#isClosed) return;
    const { kinds, parts, search, transcribe } = this.#options;
    for (const kind of kinds) {
      const settings = this.#settingsOf(kind.name);
      const publicUrl = parts.config().server?.publicUrl;
      const fingerprint = settings === undefined ? undefined : fingerprintOf({ settings, publicUrl });
      const old = this.#running.get(kind.name);
      if (old?.fingerprint === fingerprint) continue;
      this.#running.delete(kind.name);
      await old?.running.close();
      if (fingerprint === undefined) continue;
      const running = new RunningChannel({
        kind,
        settings,
        parts,
        search,
        transcribe,
        watches: this.#watches,
        clock: this.#clock,
        holder: this.#holder,
        wake: (chatId) => this.wake(kind.name, chatId),
      });
      this.#running.set(kind.name, { running, fingerprint });
    }
  }

  #settingsOf(name: string): unknown {
    const { channels } = this.#options.parts.config();
    return channels === undefined ? undefined : (channels as Readonly<Record<string, unknown>>)[name];
  }
}

/** Tells settings apart, secrets too, without keeping them. */
function fingerprintOf(settings: unknown): string {
  const text = JSON.stringify(settings, function (this: Record<string, unknown>, key, value: unknown) {
    const given = this[key];
    return given instanceof Secret ? `secret ${given.reveal()}` : value;
  });
  return createHash('sha256').update(text).digest('hex');
}
