import type { EndedJob } from '../tools/bash/job-registry.ts';

/** Keeps what background jobs have to tell until their session takes it up. */
export class JobNews {
  readonly #news = new Map<string, string[]>();

  readonly jobEnded = ({ sessionID, jobID, command, exitCode, tail }: EndedJob): void => {
    const how = exitCode === undefined || exitCode === null ? 'was ended' : `ended with exit code ${exitCode}`;
    const shown = tail.trim() === '' ? '' : `\nThe end of its output:\n${tail.trimEnd()}`;
    const told = this.#news.get(sessionID) ?? [];
    this.#news.set(sessionID, [...told, `[The background job ${jobID} (${command}) ${how}.]${shown}`]);
  };

  /** What is new for a session; told once. */
  take(sessionID: string): string[] {
    const news = this.#news.get(sessionID) ?? [];
    this.#news.delete(sessionID);
    return news;
  }
}
