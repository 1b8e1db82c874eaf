/**
 * Makes vectors of texts, in the place of the built-in ones. The index is handed one by whoever puts the program together: what
 * makes them, and where, is not known here.
 */
export interface Embedder {
  /** Names what makes them: only vectors of one space can be compared. */
  readonly space: string;
  /** One vector for each text, in their order, all of one length. Throws where that cannot be had. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}
