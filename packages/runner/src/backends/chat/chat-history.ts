import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError, type ModelMessage } from '@dragoman/protocol';
import { z } from 'zod';

/** One message of the conversation, with the ids it is known by on screens. */
export interface ChatEntry {
  ids: string[];
  message: Extract<ModelMessage, { role: 'user' | 'assistant' }>;
}

/** Lenient: the messages are our own, and only read back. */
const fileSchema = z.object({
  version: z.literal(1),
  entries: z.array(
    z.object({
      ids: z.array(z.string()),
      message: z.object({
        role: z.enum(['user', 'assistant']),
        content: z.array(z.object({ type: z.string() }).loose()),
      }),
    }),
  ),
});

/** A line of notes: words of the answer that follows so many messages. */
const noteSchema = z.object({ after: z.number(), ids: z.array(z.string()), text: z.string() });

/** Words of an answer are noted at the latest so much later. */
const NOTE_MS = 100;

/**
 * What was said in one session, in a file of its own. The file is replaced as a whole, so that it is always either the
 * old or the new conversation, whenever the process ends. An answer that is still being given is noted in a second file
 * until the first one has it, so that a process that is killed loses no more than the last moment.
 */
export class ChatHistory {
  readonly entries: ChatEntry[];
  readonly #folder: string;
  readonly #id: string;
  #noted = { ids: [] as string[], text: '' };
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> = Promise.resolve();

  private constructor(folder: string, id: string, entries: ChatEntry[]) {
    this.#folder = folder;
    this.#id = checkedId(id);
    this.entries = entries;
  }

  /** A conversation that begins, with what it knows already. */
  static begin(folder: string, id: string, entries: readonly ChatEntry[] = []): ChatHistory {
    return new ChatHistory(folder, id, [...entries]);
  }

  /** A conversation of earlier. Rejects with `not-found` when it is not on this machine. */
  static async open(folder: string, id: string): Promise<ChatHistory> {
    const path = join(folder, `${checkedId(id)}.json`);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(path, error);
      throw new DragomanError('not-found', `There is no conversation "${id}" on this machine; start a new session.`);
    }
    try {
      const { entries } = fileSchema.parse(JSON.parse(text));
      const known = entries as unknown as ChatEntry[];
      return new ChatHistory(folder, id, [...known, ...(await readNotes(notesPath(folder, id), known.length))]);
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** What was said before a message, without it. */
  before(messageId: string): ChatEntry[] {
    const index = this.entries.findIndex(({ ids }) => ids.includes(messageId));
    if (index !== -1) return this.entries.slice(0, index);
    throw new DragomanError(
      'not-found',
      `The conversation "${this.#id}" has no message "${messageId}"; fork it at one of its prompts.`,
    );
  }

  /** Words of the answer to the last message, and the ids it is known by so far; they are on disk soon, many at a time. */
  note(ids: Iterable<string>, text: string): void {
    this.#noted = { ids: [...ids], text: this.#noted.text + text };
    this.#timer ??= setTimeout(() => {
      const line = JSON.stringify({ after: this.entries.length, ...this.#noted });
      this.#forgetNoted();
      // Where this fails, the answer is missing only if the process is killed now: `save` tells what is wrong.
      this.#noting = this.#noting.then(() =>
        appendFile(notesPath(this.#folder, this.#id), `${line}\n`, { mode: 0o600 }).catch(() => {}),
      );
    }, NOTE_MS).unref();
  }

  /** Resolves when the file has what is said by now. */
  async save(): Promise<void> {
    this.#forgetNoted();
    await this.#noting;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${this.#id}.json`);
    const temporary = `${path}.${randomUUID()}.new`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify({ version: 1, entries: this.entries }));
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      await rm(notesPath(this.#folder, this.#id), { force: true });
    } catch (error) {
      await rm(temporary, { force: true });
      throw new DragomanError('data-folder', `The conversation could not be written to ${path}: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }

  #forgetNoted(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#noted = { ids: [], text: '' };
  }
}

function notesPath(folder: string, id: string): string {
  return join(folder, `${id}.answer`);
}

/** The answer that was being given after so many messages when the process ended, as far as it was noted. */
async function readNotes(path: string, after: number): Promise<ChatEntry[]> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
    const notes = lines.map((line) => noteSchema.parse(JSON.parse(line))).filter((note) => note.after === after);
    if (notes.length === 0) return [];
    const ids = [...new Set(notes.flatMap((note) => note.ids))];
    const text = notes.map((note) => note.text).join('');
    return [{ ids, message: { role: 'assistant', content: [{ type: 'text', text }] } }];
  } catch {
    return []; // There are none, mostly; and no notes are worth more than the conversation.
  }
}

/** The id becomes the name of a file, and comes from another machine. */
function checkedId(id: string): string {
  if (/^[\w-]{1,100}$/.test(id)) return id;
  throw new DragomanError('bad-request', `${JSON.stringify(id.slice(0, 100))} is not the id of a conversation.`);
}

function unreadable(path: string, cause: unknown): DragomanError {
  return new DragomanError('data-folder', `The conversation in ${path} cannot be read: ${reasonOf(cause)}.`, { cause });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message.split('\n')[0]!;
}
