import { DragomanError } from '@dragoman/protocol';
import type { DataFolder } from '../config/data-folder.ts';
import { type LockNote, lockText, readLock } from './lock-note.ts';
import { lockProof, lockToken } from './lock-proof.ts';
import { swapLock } from './swap-lock.ts';

const LOOK_MS = 5_000;

/** The lock of a data folder, in the hands of the server that has it. */
export class ServerLock {
  readonly #file: string;
  readonly #lost = Promise.withResolvers<void>();
  readonly #look: NodeJS.Timeout;
  #note: LockNote;
  #isLost = false;

  /** For `claimServerLock`, which has written the note. */
  constructor({ lockFile }: DataFolder, note: LockNote, lookMs: number = LOOK_MS) {
    this.#file = lockFile;
    this.#note = note;
    this.#look = setInterval(() => this.#lookAfter(), lookMs).unref();
  }

  /** Resolves when another server has taken the lock, because this one did not answer. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Whether that has happened. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Tells where the server listens: from now on others are sent there. */
  announce(url: string): void {
    if (this.#write({ ...this.#note, url })) return;
    throw new DragomanError(
      'data-folder',
      `Another server took over ${this.#file} because this one took too long to start. Use that one, or start again.`,
    );
  }

  /** Proves to whoever can read the lock that this is the server it names; nothing before that is so. */
  prove(challenge: string): string | undefined {
    return this.#note.url === undefined ? undefined : lockProof(this.#note, challenge);
  }

  /** The token that the runner of this data folder comes with. */
  get runnerToken(): string {
    return lockToken(this.#note);
  }

  /** Tells that the door is about to be closed: others wait for the end. */
  leave(): void {
    clearInterval(this.#look);
    quietly(() => this.#write({ ...this.#note, isStopping: true }));
  }

  /** Lets go of it. One that another server has is left alone. */
  release(): void {
    clearInterval(this.#look);
    quietly(() => swapLock(this.#file, lockText(this.#note), undefined));
  }

  #write(note: LockNote): boolean {
    if (!swapLock(this.#file, lockText(this.#note), lockText(note))) return false;
    this.#note = note;
    return true;
  }

  /** A lock that somebody has removed is put back. */
  #lookAfter(): void {
    quietly(() => {
      const mine = lockText(this.#note);
      const held = readLock(this.#file);
      if (held?.text === mine || (held === undefined && swapLock(this.#file, undefined, mine))) return;
      clearInterval(this.#look);
      this.#isLost = true;
      this.#lost.resolve();
    });
  }
}

/** A full disk or a folder that is gone is no reason to end a server, or to end it otherwise. */
function quietly(attempt: () => void): void {
  try {
    attempt();
  } catch {
    // Whoever finds the lock as it is judges by the process that it names.
  }
}
