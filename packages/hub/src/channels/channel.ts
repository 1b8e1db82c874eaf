import type { JsonValue, MachineAway, SessionPart, SessionView, ShownApproval } from '@dragoman/protocol';
import type { HubLog } from '../hub-log.ts';
import type { Action } from './action.ts';
import type { Heard, PressAnswer } from './heard.ts';
import type { Note } from './note.ts';

/** The languages people are spoken to in. */
export type Language = 'en' | 'zh';

/** A chat of a channel: with one person, a group, or one topic of either. */
export interface Chat {
  /** As the channel writes it. The same place is always the same text, and a topic is a chat of its own. */
  chatId: string;
  kind: 'private' | 'group';
  language: Language;
}

/** A message that should stand in a chat. */
export interface Post<Body = unknown> {
  /** Tells the posts of one session in one chat apart. The same for as long as the post is there. */
  key: string;
  /** What it says, in the channel's own form. The same state of a session gives the same body, whenever it is made. */
  body: Body;
  /** What its buttons do. A button in the body names its place in this list. */
  actions: readonly Action[];
  /** It will not change any more. */
  isFinal: boolean;
}

/** What a session is shown with. */
export interface Scene {
  view: SessionView;
  language: Language;
  /** The session in the console, where there is an address that people can reach. */
  link: string | undefined;
  /** Prompts that were written in this very chat, by their ids, and the messages they were: they are not shown again. */
  ownPrompts: ReadonlyMap<string, string>;
  /** The machine of a turn that runs, while it is not connected. */
  away?: MachineAway | undefined;
}

/**
 * How a channel shows a session. Pure: the same parts give the same posts, and nothing asks the clock.
 *
 * A part is a turn with all its rows, or what was said between two turns; every screen is made from the same rows.
 */
export interface ChannelRenderer<Body> {
  /** One answer: one post that changes, and more of them only where it does not fit into one. */
  part(part: SessionPart, scene: Scene): readonly Omit<Post<Body>, 'isFinal'>[];
  /** A question, waiting or decided. It is a post of its own, because only a new message makes a phone ring. */
  approval(approval: ShownApproval, scene: Scene): Omit<Post<Body>, 'isFinal'>;
  /** What the program itself says: the answer to a command, or that something happened elsewhere. */
  note(note: Note, language: Language): Pick<Post<Body>, 'body' | 'actions'>;
  /** What is left of a post whose part was taken out of the session. */
  withdrawn(language: Language): Pick<Post<Body>, 'body' | 'actions'>;
}

/** What there is of a post in a chat. Kept in the store, so it is JSON. */
export interface Receipt {
  /** The platform's id of the message, by which presses and replies find the post. */
  messageId?: string;
  /** It stays. What does not (a draft, a card that was made and not sent yet) is sent for good later. */
  isLasting: boolean;
  data?: JsonValue;
}

/** A post on its way into a chat. */
export interface Delivery<Body> {
  chat: Chat;
  post: Post<Body>;
  /** A UUID that is this post's own, however often it is tried. */
  nonce: string;
  /** What a button carries: at most 40 characters of `a-z`, `0-9`, `_` and `.`. */
  actionData(index: number): string;
  /** What is in the chat by now. The body is known as long as the process lives. */
  before: { receipt: Receipt; body: Body | undefined } | undefined;
  /** An earlier attempt may have arrived; with what `hintOf` said before it. */
  uncertain: { hint: JsonValue } | undefined;
  /** Nothing comes after it for now. */
  isLast: boolean;
  /** The message it answers. */
  replyTo: string | undefined;
  /** The ids of the newest messages of ours in this chat, and in the other topics of its group. */
  knownIds(): Promise<readonly string[]>;
  /** The bytes of an image or file of the session, by the `url` of its block. */
  readAttachment(url: string): Promise<{ bytes: Uint8Array; mediaType: string; name: string | undefined }>;
  /** Whether this chat may still hear of sessions: for what a channel does to a post after its delivery. */
  mayStill?(): Promise<boolean>;
  signal: AbortSignal;
}

/** How a channel is. */
export type ChannelState =
  | { type: 'starting' }
  | { type: 'on' }
  /** It goes on trying. */
  | { type: 'trouble'; reason: string }
  /** It is no use to try again before a person did something. */
  | { type: 'failed'; reason: string };

/** One thing that has to be right before a channel works, and whether it is. */
export interface SetupStep {
  id: string;
  title: string;
  state: 'ok' | 'missing' | 'wrong' | 'unknown';
  /** What was found. */
  text: string;
  /** What to do: where to click, what to enter. */
  fix?: string;
}

/** A webhook call as it came. */
export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** What the platform is answered. */
export interface WebhookAnswer {
  status: number;
  body?: JsonValue;
}

/** An open channel: one bot on one platform. */
export interface Channel<Body = unknown> {
  renderer: ChannelRenderer<Body>;
  /** Brings a post into the chat, or what is there up to date. Rejects with a `DeliveryError`. */
  deliver(delivery: Delivery<Body>): Promise<Receipt>;
  /** What helps to find out later whether a message arrived; kept before the first attempt. */
  hintOf?(chat: Chat): JsonValue;
  /** The least time between two deliveries to a chat. */
  paceMs(chat: Chat): number;
  /** Begins to hear by itself (polling, a long connection, a webhook that is announced). Once, in one process. */
  listen(): Promise<void>;
  /** A webhook call. In every process. Who is not the platform is refused here. */
  receive(request: WebhookRequest): Promise<WebhookAnswer>;
  /** A new place for a session, where the chat can have several (topics). */
  openTopic?(chat: Chat, title: string): Promise<{ chatId: string } | undefined>;
  /** The bot, for people who look for it. */
  bot(): { name: string; link?: string; bindLink?(code: string): string } | undefined;
  check(language: Language): Promise<SetupStep[]>;
  /** An admin is at work on the set-up, whichever process was asked to check it. Called in every process. */
  expectSetup?(): void;
  close(): Promise<void>;
}

/** What the channel is handed. */
export interface ChannelHost {
  /** What a person did. Resolves once it is stored or refused; what a press is answered with comes back. */
  hear(heard: Heard): Promise<PressAnswer | undefined>;
  tell(state: ChannelState): void;
  /** The address of the server, where it has one that others reach. */
  publicUrl: string | undefined;
  log: HubLog;
  now(): number;
  signal: AbortSignal;
}

/** Something to fill in before a channel can be opened; shown as a form in the console. */
export interface ChannelField {
  /** The setting below `channels.<name>`. */
  name: string;
  label: string;
  kind: 'text' | 'secret' | 'choice';
  choices?: readonly { value: string; label: string }[];
  help?: string;
  placeholder?: string;
  isRequired: boolean;
}

/** A kind of channel. All there is to know of it is in its folder. */
export interface ChannelKind<Settings = unknown> {
  name: string;
  title: string;
  /** What a person does to set it up, in order, and what to fill in. */
  guide(
    language: Language,
    publicUrl: string | undefined,
  ): {
    steps: readonly string[];
    fields: readonly ChannelField[];
    /** The step, counted from 1, with which the form is saved; those behind it need a bot that runs. */
    savedAt?: number;
    /** About how long that takes. */
    minutes?: number;
  };
  /** Loads what is heavy, connects to nothing yet. */
  open(settings: Settings, host: ChannelHost): Promise<Channel>;
}
