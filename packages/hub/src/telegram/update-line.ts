import type { Message, Update } from 'grammy/types';
import { parseCommand } from '../channels/commands/parse-command.ts';
import { hearUntilStored, see, type UpdateEars } from './hear-updates.ts';
import { isMove } from './read-update.ts';
import { readText } from './read-text.ts';

/** So many chats are heard at once. */
export const MAX_AT_ONCE = 32;
/** The pictures of an album are told of one by one; so long the first waits for the others. */
export const ALBUM_MS = 1000;

/** Pictures that are one message. */
interface Album {
  messages: Message[];
  heard: Promise<void>;
}

/**
 * The updates that were taken and are being heard: in order within a chat, chats beside one another. What an agent waits
 * for or should stop at waits for nothing.
 *
 * Telegram forgets an update when one after it is asked for, so `offset` stays at the oldest that is not stored yet. Those
 * behind it come again with every answer, and are known.
 */
export class UpdateLine {
  readonly #ears: UpdateEars;
  readonly #tell: (reason: string | undefined) => void;
  /** By their numbers, whether they are over. */
  readonly #taken = new Map<number, boolean>();
  readonly #running = new Set<Promise<void>>();
  /** What came last in each chat, for the next to wait for. */
  readonly #last = new Map<number, Promise<void>>();
  readonly #albums = new Map<string, Album>();
  readonly #inTrouble = new Set<number>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #next = 0;

  /** Why nothing can be stored is told; nothing once it can be again. */
  constructor(ears: UpdateEars, tell: (reason: string | undefined) => void) {
    this.#ears = ears;
    this.#tell = tell;
  }

  /** From where on updates are to be asked for. */
  get offset(): number {
    for (const [id, isOver] of this.#taken) {
      if (!isOver) return id;
      this.#taken.delete(id);
    }
    return this.#next;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  get isInTrouble(): boolean {
    return this.#inTrouble.size > 0;
  }

  /** Takes what is new of an answer, in the order of its numbers. */
  take(updates: readonly Update[]): void {
    const news = updates.filter(({ update_id }) => !this.#taken.has(update_id));
    for (const update of news) {
      // What is said at once in answer to the first of them is behind all of them.
      see(update, this.#ears.ids);
      this.#taken.set(update.update_id, false);
      this.#next = Math.max(this.#next, update.update_id + 1);
    }
    // That a chat is another one now comes before what is said in it.
    for (const update of [...news.filter(isMove), ...news.filter((each) => !isMove(each))]) this.#begin(update);
  }

  /** Resolves when nothing is being heard. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #begin(update: Update): void {
    const work = this.#hear(update).then(
      () => void this.#taken.set(update.update_id, true),
      () => {}, // It stops; Telegram tells of it again.
    );
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  #hear(update: Update): Promise<void> {
    if (isUrgent(update, this.#ears)) return this.#store(update, []);
    const { message } = update;
    const chats = chatsOf(update);
    if (message?.media_group_id === undefined) return this.#inLine(chats, () => this.#store(update, []));
    const key = `${chats[0]} ${message.media_group_id}`;
    const known = this.#albums.get(key);
    if (known !== undefined) {
      known.messages.push(message);
      return known.heard;
    }
    const messages = [message];
    const { host, wait } = this.#ears;
    const gathered = wait(ALBUM_MS, host.signal);
    // When it stops, nobody may have come to wait for it yet.
    gathered.catch(() => {});
    const heard = this.#inLine(
      chats,
      () => {
        this.#albums.delete(key);
        return this.#store(
          update,
          messages.toSorted((one, other) => one.message_id - other.message_id),
        );
      },
      gathered,
    );
    this.#albums.set(key, { messages, heard });
    return heard;
  }

  /** After what came before in these chats, and while few others are heard. */
  #inLine(chats: readonly number[], work: () => Promise<void>, ready?: Promise<void>): Promise<void> {
    const before = chats.flatMap((chat) => this.#last.get(chat) ?? []);
    const mine = (async () => {
      await Promise.allSettled(before);
      await ready;
      if (this.#busy >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else this.#busy += 1;
      try {
        await work();
      } finally {
        // Who waits takes the place over.
        const next = this.#waiting.shift();
        if (next === undefined) this.#busy -= 1;
        else next();
      }
    })();
    const over = () => {
      for (const chat of chats) if (this.#last.get(chat) === mine) this.#last.delete(chat);
    };
    for (const chat of chats) this.#last.set(chat, mine);
    mine.then(over, over);
    return mine;
  }

  async #store(update: Update, album: readonly Message[]): Promise<void> {
    const { update_id: id } = update;
    await hearUntilStored(update, album, this.#ears, (reason) => {
      this.#inTrouble.add(id);
      this.#tell(reason);
    });
    if (this.#inTrouble.delete(id) && !this.isInTrouble) this.#tell(undefined);
  }
}

/** The chat that it is of; where a group is another one now, both. */
function chatsOf({ message, edited_message, callback_query, my_chat_member, update_id }: Update): number[] {
  const chat = (message ?? edited_message ?? callback_query?.message ?? my_chat_member)?.chat?.id ?? update_id;
  return [...new Set([chat, message?.migrate_from_chat_id ?? chat, message?.migrate_to_chat_id ?? chat])];
}

const URGENT = new Set(['stop', 'approve', 'deny']);

/** A press, or a command that is as good as one. */
function isUrgent({ message, callback_query }: Update, { reader }: UpdateEars): boolean {
  if (callback_query !== undefined) return true;
  try {
    const command = message?.text === undefined ? undefined : parseCommand(readText(message, reader.me)?.text ?? '');
    return command?.type === 'command' && URGENT.has(command.name);
  } catch {
    // It cannot be read; that is found out in its turn.
    return false;
  }
}
