import type { HubParts } from '../../hub-parts.ts';
import type { SessionSearch } from '../../search/session-search.ts';
import type { Channel, Language } from '../channel.ts';
import type { DeskClock } from '../desk-clock.ts';
import type { Note } from '../note.ts';
import type { Transcribe } from '../open-channels.ts';
import type { ChatPlace, FoundPost } from '../post-store.ts';
import type { Acts } from './act-as.ts';
import type { BoundUser } from './bindings.ts';
import type { ChatRow } from './chat-store.ts';

/** What hearing people stands on: one for each open channel. */
export interface Ears {
  parts: HubParts;
  search: SessionSearch;
  channel: { name: string; open: Channel };
  /** Something is to be said or shown in a chat. */
  wake(chatId: string): void;
  /** Absent where nothing writes voice messages down. */
  transcribe: Transcribe | undefined;
  clock: DeskClock;
  signal: AbortSignal;
}

/** A person whom we know, saying something in a chat where we listen. */
export interface Talk {
  ears: Ears;
  place: ChatPlace;
  chat: ChatRow;
  accountId: string;
  accountName: string;
  user: BoundUser;
  acts: Acts;
  language: Language;
  /** What was said is known by it, so that what follows from it happens once. */
  heardId: string;
  /** Where it is a message, the platform's id of it. */
  messageId: string | undefined;
  /** The post of ours that it is an answer to. */
  answers: FoundPost | undefined;
}

/** What comes of something that a person did. */
export interface Reply {
  notes: readonly Note[];
  /** What a press is answered with, where the notes do not say it all. */
  line?: string | undefined;
  isRefused?: boolean | undefined;
}

/** A reply in a sentence or more. */
export function say(text: string, buttons?: Note['buttons']): Reply {
  return { notes: [{ text, ...(buttons !== undefined && buttons.length > 0 && { buttons }) }] };
}

/** There is nothing to be said. */
export const NOTHING: Reply = { notes: [] };
