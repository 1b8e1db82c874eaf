import type { HubLink } from '@dragoman/protocol';
import type { AccessTables, Caller, Store } from '@dragoman/server/base';
import { ApprovalClock } from './approvals/approval-clock.ts';
import { expireApprovals } from './approvals/expire-approvals.ts';
import type { ChannelKind } from './channels/channel.ts';
import type { DeskClock } from './channels/desk-clock.ts';
import { Channels, type Transcribe } from './channels/open-channels.ts';
import { EventFeed } from './feed/event-feed.ts';
import type { HubLog } from './hub-log.ts';
import type { HubParts, HubSettings } from './hub-parts.ts';
import type { HubTables } from './hub-tables.ts';
import { PromptTraces } from './inbox/prompt-traces.ts';
import { SessionLog } from './log/session-log.ts';
import { LiveProcesses } from './processes/live-processes.ts';
import { takeOverDuties } from './processes/take-over-duties.ts';
import { publicPush, type PushTransport } from './push/post-push.ts';
import { Pusher } from './push/pusher.ts';
import { SessionReaders } from './push/session-readers.ts';
import { hubHandlers } from './routes/hub-handlers.ts';
import type { HubHandlers } from './routes/hub-plugin.ts';
import { linkInProcess } from './runners/link-in-process.ts';
import { type LocalRunner, RunnerPresence } from './runners/runner-presence.ts';
import { watchPresence } from './runners/watch-presence.ts';
import { SessionSearch } from './search/session-search.ts';
import { ChangeFeed } from './sessions/change-feed.ts';
import { reactToEvents } from './sessions/react-to-events.ts';
import { terminalDesk, type TerminalDesk } from './terminals/terminal-desk.ts';
import { watchTerminals } from './terminals/watch-terminals.ts';

/** What a hub stands on. */
export interface HubOptions extends LocalRunner {
  store: Store;
  /** Asked each time, so that a changed file counts at once. */
  config: () => HubSettings;
  log: HubLog;
  /** The time in milliseconds since 1970. */
  now?: (() => number) | undefined;
  /** Of the program, for the document that describes the routes. */
  version?: string | undefined;
  /** Why there is no runner of this machine, where there should be one. */
  localProblem?: (() => string | undefined) | undefined;
  /** How browsers are reached that are notified; the public Internet where nothing is said. */
  push?: PushTransport | undefined;
  /** The kinds of chat that can be configured; see `channelKinds`. */
  channels?: readonly ChannelKind[] | undefined;
  /** Writes down what people say in voice messages. */
  transcribe?: Transcribe | undefined;
  /** How time passes for chats. */
  channelClock?: DeskClock | undefined;
}

/** An open hub. */
export interface Hub {
  /** What answers the routes of `hubPlugin`. */
  handlers: HubHandlers;
  /**
   * The way to the hub for a runner in the same process; the same code as behind the routes. The runner is the server's own, or
   * that of a terminal where its home is named: the runner of the server on the same machine.
   */
  link(owner: Caller, homeRunnerId?: string): HubLink;
  /** Sessions as somebody at a terminal of this machine works on them. */
  terminal(owner: Caller): TerminalDesk;
  /** Whether a runner is connected to this very process. */
  hasRunner(runnerId: string): boolean;
  /** The chats; nothing where the program has none. */
  channels: Channels | undefined;
  /** The configuration has changed. */
  refresh(): void;
  /** Ends every stream. What waits is in the store, and is picked up when a hub is opened again. */
  close(): Promise<void>;
}

/**
 * Puts the hub together. What an earlier process left is picked up: approvals that ran out of time are answered, the
 * clock is set for the others, and prompts that wait are sent when their runner connects.
 */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { store, config, log: logger, now = Date.now, version = '0' } = options;
  const feed = await EventFeed.open({ store, log: logger });
  const { engine } = store;
  const processes = await LiveProcesses.open({ db: store.tables<HubTables>(), engine, logger });
  const readers = new SessionReaders({ db: store.tables<HubTables>(), engine, logger });
  const pusher = new Pusher({
    db: store.tables<HubTables & AccessTables>(),
    engine,
    readers,
    publicUrl: () => config().server?.publicUrl,
    now,
    logger,
    transport: options.push ?? publicPush,
  });
  const parts: HubParts = {
    db: store.tables<HubTables>(),
    engine,
    log: new SessionLog({ store, feed, react: (change) => reactToEvents(parts, change), log: logger }),
    feed,
    presence: new RunnerPresence(engine, now, processes, options),
    processes,
    approvalClock: new ApprovalClock(now, () => void expireApprovals(parts)),
    readers,
    pusher,
    channels: undefined,
    config,
    now,
    logger,
    promptTraces: new PromptTraces(),
    localProblem: options.localProblem ?? (() => undefined),
  };
  const changes = new ChangeFeed(parts);
  const search = new SessionSearch({ store, log: logger });
  const unwatch = watchPresence(parts);
  const untake = takeOverDuties(parts);
  const unwatchTerminals = watchTerminals(parts);
  await expireApprovals(parts);
  pusher.wake();
  if (options.channels !== undefined) {
    const { channels: kinds, transcribe, channelClock: clock } = options;
    parts.channels = await Channels.open({ parts, search, kinds, transcribe, clock });
  }

  return {
    handlers: hubHandlers({ parts, changes, search, version }),
    link: (owner, homeRunnerId) => linkInProcess(parts, owner, homeRunnerId),
    terminal: (owner) => terminalDesk(parts, owner),
    hasRunner: (runnerId) => parts.presence.has(runnerId),
    channels: parts.channels,
    refresh: () => parts.channels?.refresh(),
    async close() {
      await parts.channels?.close();
      parts.approvalClock.close();
      unwatch();
      untake();
      unwatchTerminals();
      parts.presence.close();
      changes.close();
      await pusher.close();
      await readers.close();
      await search.close();
      await processes.close();
      await feed.close();
    },
  };
}
