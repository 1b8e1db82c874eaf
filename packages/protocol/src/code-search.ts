/** A place in the code, as an answer to a question: whole lines, counted from 1, both ends inclusive. */
export interface CodePlace {
  path: string;
  start: number;
  end: number;
  /** The definition the place is, or is in. */
  symbol?: string;
  /** Comparable within one answer only; higher is better. */
  score: number;
  /** What stands there, secrets masked; of a very long place only the beginning. */
  text: string;
}

export interface CodeQuestion {
  /** In plain words, or the name of a symbol. */
  query: string;
  /** How many places at most. */
  limit?: number;
}

/** A code base that can be asked. The agent is handed one; how it finds is the context engine's business. */
export interface CodeSearch {
  search(question: CodeQuestion, signal?: AbortSignal): Promise<CodePlace[]>;
  findSymbol(name: string, limit?: number, signal?: AbortSignal): Promise<CodePlace[]>;
  /** The best places as one text for a model, no longer than `maxLength` characters. */
  retrieve(request: { query: string; maxLength?: number }, signal?: AbortSignal): Promise<string>;
}
