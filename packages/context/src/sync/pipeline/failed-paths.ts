/** A file without a blob on the server that the path map says nothing of. */
export interface FailedPath {
  reason: string;
  /** The blob the server refused for good; undefined when it is worth another try. */
  refused: string | undefined;
}

/** The paths that did not get to the server, until they do or change. */
export class FailedPaths {
  readonly #failures = new Map<number, Map<string, FailedPath>>();

  note(folderId: number, relPath: string, failure: FailedPath): void {
    const failures = this.#failures.get(folderId);
    if (failures === undefined) this.#failures.set(folderId, new Map([[relPath, failure]]));
    else failures.set(relPath, failure);
  }

  forget(folderId: number, relPath: string): void {
    this.#failures.get(folderId)?.delete(relPath);
  }

  /** The blob of this path that the server refused for good. */
  refused(folderId: number, relPath: string): string | undefined {
    return this.#failures.get(folderId)?.get(relPath)?.refused;
  }

  entries(folderId: number): Iterable<[string, FailedPath]> {
    return this.#failures.get(folderId) ?? [];
  }
}
