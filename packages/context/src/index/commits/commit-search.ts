import { type Commit, readCommits, readHead } from './read-commits.ts';
import { prepareCommits, rankCommits, type SearchableCommits } from './rank-commits.ts';

/** Repositories whose commits stay in memory. */
const MAX_KEPT = 4;

/** Finds commits of repositories on this machine. A history is read once for each commit the repository stands at. */
export class CommitSearch {
  readonly #kept = new Map<string, { head: string; commits: Promise<SearchableCommits> }>();

  /** The commits that have most to do with a question; none for a folder that is not the top of a repository. */
  async search(root: string, query: string, limit: number, signal?: AbortSignal): Promise<Commit[]> {
    return rankCommits(await this.#read(root, signal), query, limit);
  }

  /** The newest commits. */
  async latest(root: string, limit: number, signal?: AbortSignal): Promise<Commit[]> {
    return (await this.#read(root, signal)).commits.slice(0, limit);
  }

  async #read(root: string, signal?: AbortSignal): Promise<SearchableCommits> {
    const head = await readHead(root, signal);
    if (head === undefined) return prepareCommits([]);
    const kept = this.#kept.get(root);
    this.#kept.delete(root);
    // Read for everybody: one who leaves does not end it.
    const entry = kept?.head === head ? kept : { head, commits: readCommits(root).then(prepareCommits) };
    this.#kept.set(root, entry);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return entry.commits;
  }
}
