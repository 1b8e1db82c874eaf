import { hashOf, type Pair } from '../extract/pair.ts';

/** Names are in every file; so many of one repository are enough. */
const MOST_NAMES = 8_000;
/** The same question for very many places is no question. */
const MOST_OF_A_QUERY = 3;

/** Decides pair by pair, over all repositories, which are kept: none twice, no question too often. */
export class PairSieve {
  readonly #seen = new Set<number>();
  readonly #asked = new Map<number, number>();
  #names = 0;

  /** From here on, pairs are of the next repository. */
  nextRepository(): void {
    this.#names = 0;
  }

  isKept({ kind, query, code }: Pair): boolean {
    if (kind === 'name' && ++this.#names > MOST_NAMES) return false;
    const question = query.join(' ');
    const pairHash = hashOf(`${question}|${code.join(' ')}`) * 4096 + (hashOf(`${code.length}${question}`) & 4095);
    const queryHash = hashOf(question) * 4096 + (hashOf(`${question.length}${query[0]}`) & 4095);
    const times = this.#asked.get(queryHash) ?? 0;
    if (this.#seen.has(pairHash) || times >= MOST_OF_A_QUERY) return false;
    this.#seen.add(pairHash);
    this.#asked.set(queryHash, times + 1);
    return true;
  }
}
