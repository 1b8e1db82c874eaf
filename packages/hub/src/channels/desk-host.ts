import type { HubParts } from '../hub-parts.ts';
import type { Channel } from './channel.ts';
import type { DeskClock } from './desk-clock.ts';
import type { Renderings } from './renderings.ts';
import type { SessionWatches } from './session-watch.ts';
import type { Setback } from './take-setback.ts';

/** What the desks of one channel share. */
export interface DeskHost {
  parts: Pick<HubParts, 'db' | 'feed' | 'config' | 'logger'>;
  channel: Channel;
  watches: SessionWatches;
  renderings: Renderings;
  clock: DeskClock;
  signal: AbortSignal;
  /** Nothing gets through anywhere until a person did something. */
  isRevoked(): boolean;
  /** Waits while that is so; now and then one may try. */
  admit(): Promise<void>;
  /** Something got through. */
  succeed(): void;
  /** Something did not. */
  fail(setback: Setback): void;
}
