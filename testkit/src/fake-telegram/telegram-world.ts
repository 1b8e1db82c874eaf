import { DragomanError } from '@dragoman/protocol';
import type { UploadedFile } from './call-params.ts';
import type { SeenDraft } from './seen-message.ts';
import type { SettledText } from './settle-text.ts';
import type { TelegramButton, TelegramChat, TelegramFile, TelegramUser } from './telegram-wire.ts';

/** How the bot stands in a chat. Nobody has written in one that is `unopened`. */
export type Membership = 'unopened' | 'in' | 'blocked' | 'kicked' | 'left';

/** A file that Telegram keeps. */
export interface KeptFile extends UploadedFile {
  kind: 'photo' | 'document' | 'voice';
  wire: TelegramFile;
  /** Behind `/file/bot<token>/`. */
  path: string;
}

/** A message that stands in a chat. */
export interface KeptMessage {
  messageId: number;
  from: TelegramUser;
  date: number;
  editDate: number | undefined;
  edits: number;
  /** The text, or the caption of a file. */
  text: SettledText;
  file: KeptFile | undefined;
  buttons: TelegramButton[][];
  replyTo: KeptMessage | undefined;
  threadId: number | undefined;
  mediaGroup: string | undefined;
  /** Something that happened, in place of something that was said. */
  service: Record<string, unknown> | undefined;
}

/** A chat with what stands in it. */
export interface KeptChat {
  chat: TelegramChat;
  membership: Membership;
  messages: Map<number, KeptMessage>;
  topics: Map<number, string>;
  drafts: Map<number, SeenDraft>;
  actions: string[];
  /** The supergroup that it became. */
  movedTo: number | undefined;
  /** Ids of a supergroup run on their own; all other chats of a bot share one count. */
  lastId: number;
}

/** How long a draft is shown. */
const DRAFT_MS = 30_000;

/** All that Telegram keeps, and who waits for it to change. */
export class TelegramWorld {
  readonly now: () => number;
  readonly bot: TelegramUser;
  readonly users = new Map<number, TelegramUser>();
  readonly chats = new Map<number, KeptChat>();
  readonly files = new Map<string, KeptFile>();
  #lastSharedId = 0;
  readonly #waiting = new Set<() => void>();

  constructor(bot: TelegramUser, now: () => number) {
    this.bot = bot;
    this.now = now;
  }

  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** Opens a chat; the test is told where it names one that is not there. */
  addChat(chat: TelegramChat, membership: Membership): KeptChat {
    const kept: KeptChat = {
      chat,
      membership,
      messages: new Map(),
      topics: new Map(),
      drafts: new Map(),
      actions: [],
      movedTo: undefined,
      lastId: 0,
    };
    this.chats.set(chat.id, kept);
    return kept;
  }

  chat(id: number): KeptChat {
    const kept = this.chats.get(id);
    if (kept === undefined) throw new DragomanError('not-found', `there is no chat ${id}; add the user or group first`);
    return kept;
  }

  nextId(kept: KeptChat): number {
    return kept.chat.type === 'supergroup' ? ++kept.lastId : ++this.#lastSharedId;
  }

  addMessage(kept: KeptChat, message: Omit<KeptMessage, 'messageId' | 'date' | 'editDate' | 'edits'>): KeptMessage {
    const messageId = this.nextId(kept);
    const added = { messageId, date: this.seconds(), editDate: undefined, edits: 0, ...message };
    kept.messages.set(messageId, added);
    return added;
  }

  /** A topic goes by the id of the message that tells of it. */
  openTopic(kept: KeptChat, from: TelegramUser, topic: { name: string; icon_color: number }): KeptMessage {
    const message = this.addService(kept, from, { forum_topic_created: topic });
    message.threadId = message.messageId;
    kept.topics.set(message.messageId, topic.name);
    return message;
  }

  /** A message that tells of something that happened. */
  addService(kept: KeptChat, from: TelegramUser, service: Record<string, unknown>): KeptMessage {
    return this.addMessage(kept, {
      from,
      text: { text: '', entities: [], found: [] },
      buttons: [],
      file: undefined,
      replyTo: undefined,
      threadId: undefined,
      mediaGroup: undefined,
      service,
    });
  }

  addFile(kind: KeptFile['kind'], file: UploadedFile, sizes: Partial<TelegramFile> = {}): KeptFile {
    const number = this.files.size + 1;
    const extension = /\.[a-z0-9]+$/i.exec(file.name)?.[0] ?? { photo: '.jpg', document: '', voice: '.oga' }[kind];
    const wire: TelegramFile = {
      file_id: `${kind === 'photo' ? 'AgAC' : 'BQAC'}${String(number).padStart(8, '0')}`,
      file_unique_id: `AQAD${number}`,
      file_size: file.bytes.length,
      ...sizes,
    };
    const kept: KeptFile = { ...file, kind, wire, path: `${kind}s/file_${number}${extension}` };
    this.files.set(wire.file_id, kept);
    return kept;
  }

  draftsIn(kept: KeptChat): SeenDraft[] {
    return [...kept.drafts.values()].filter((draft) => this.now() - draft.at < DRAFT_MS);
  }

  /** Something is different now. Who waits looks again. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves as soon as it is so, looking whenever something changed. */
  until<T>(look: () => T, limitMs: number): Promise<NonNullable<Exclude<T, false>>> {
    return new Promise((resolve, reject) => {
      const finish = (then: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        then();
      };
      const timer = setTimeout(() => {
        const error = new DragomanError('timed-out', `this did not come true within ${limitMs} ms: ${String(look)}`);
        finish(() => reject(error));
      }, limitMs);
      const check = () => {
        try {
          const seen = look();
          if (seen !== undefined && seen !== null && seen !== false) {
            finish(() => resolve(seen as NonNullable<Exclude<T, false>>));
          }
        } catch (error) {
          finish(() => reject(error instanceof Error ? error : new Error(String(error))));
        }
      };
      this.#waiting.add(check);
      check();
    });
  }
}
