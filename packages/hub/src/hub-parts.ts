import type { PermissionsConfig } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { ApprovalClock } from './approvals/approval-clock.ts';
import type { Channels } from './channels/open-channels.ts';
import type { HubConfig } from './config/hub-config.ts';
import type { EventFeed } from './feed/event-feed.ts';
import type { HubLog } from './hub-log.ts';
import type { HubTables } from './hub-tables.ts';
import type { PromptTraces } from './inbox/prompt-traces.ts';
import type { SessionLog } from './log/session-log.ts';
import type { LiveProcesses } from './processes/live-processes.ts';
import type { Pusher } from './push/pusher.ts';
import type { SessionReaders } from './push/session-readers.ts';
import type { RunnerPresence } from './runners/runner-presence.ts';

/** What the hub reads of the configuration, each time anew: it may change while the program runs. */
export type HubSettings = HubConfig & {
  permissions?: PermissionsConfig | undefined;
  server?: { publicUrl?: string | undefined } | undefined;
};

/** What every part of the hub works with. */
export interface HubParts {
  db: Kysely<HubTables>;
  engine: StoreEngine;
  log: SessionLog;
  feed: EventFeed;
  presence: RunnerPresence;
  /** Who else is at work on the same store. */
  processes: LiveProcesses;
  approvalClock: ApprovalClock;
  promptTraces: PromptTraces;
  /** Who has which session open. */
  readers: SessionReaders;
  pusher: Pusher;
  /** Chats; nothing where the program has none. */
  channels: Channels | undefined;
  config: () => HubSettings;
  /** The time in milliseconds since 1970. */
  now: () => number;
  logger: HubLog;
  /** Why there is no runner inside this process, where there should be one. */
  localProblem: () => string | undefined;
}
