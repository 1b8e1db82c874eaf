/** How a workspace is, for a person who looks at it. */
export interface SyncHealth {
  /** `unseen`: its files were not looked at since it was opened; what is told of it is from then. */
  state: 'unseen' | 'scanning' | 'indexing' | 'ready' | 'problem';
  /** Files that can be found now. */
  files: number;
  /** While it is being indexed: how many of the files that came in since the last time it was done. */
  progress?: { done: number; total: number };
  /** What went wrong the last time, until it goes well. */
  problem?: string;
}

/** What a workspace notes about itself, one thing at a time, so that it can tell how it is at any moment. */
export class HealthNotes {
  #hasLooked = false;
  #takenBefore = 0;
  #problem: unknown;

  /** Its files have been looked at. */
  noteLook(): void {
    this.#hasLooked = true;
    this.#problem = undefined;
  }

  /** Files went in or came through: all that ever went in, and those that have not come through. */
  noteWork(taken: number, awaited: number): void {
    if (awaited === 0) this.#takenBefore = taken;
  }

  noteProblem(error: unknown): void {
    this.#problem = error;
  }

  tell(now: {
    files: number;
    isScanning: boolean;
    taken: number;
    awaited: number;
    trouble: Error | undefined;
  }): SyncHealth {
    const { files, isScanning, taken, awaited } = now;
    const problem = now.trouble ?? this.#problem;
    if (isScanning) return { state: 'scanning', files };
    if (awaited > 0) {
      const total = Math.max(taken - this.#takenBefore, awaited);
      return { state: 'indexing', files, progress: { done: total - awaited, total } };
    }
    if (problem !== undefined) return { state: 'problem', files, problem: sentenceOf(problem) };
    return { state: this.#hasLooked ? 'ready' : 'unseen', files };
  }
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? 'It could not be looked at; the log says why.' : message;
}
