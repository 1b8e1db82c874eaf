/** Known paths by the folder they are in: what was in it the last time, and what goes when it goes. */
export class KnownTree {
  readonly #folders = new Map<string, { files: string[]; folders: string[] }>();

  constructor(files: Iterable<string>, folders: Iterable<string>) {
    for (const folder of folders) this.#folder(folder);
    // Files of one folder mostly stand together.
    let base = '';
    let last = this.#folder('');
    for (const file of files) {
      const slash = file.lastIndexOf('/');
      if (slash + 1 !== base.length || !file.startsWith(base)) {
        base = file.slice(0, slash + 1);
        last = this.#folder(base.slice(0, -1));
      }
      last.files.push(file);
    }
  }

  filesIn(folder: string): readonly string[] {
    return this.#folders.get(folder)?.files ?? [];
  }

  foldersIn(folder: string): readonly string[] {
    return this.#folders.get(folder)?.folders ?? [];
  }

  /** The paths of a folder, of the folders below it and of the files in all of them. */
  below(folder: string): { files: string[]; folders: string[] } {
    const found = { files: [] as string[], folders: [] as string[] };
    const stack = this.#folders.has(folder) ? [folder] : [];
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      found.folders.push(path);
      for (const file of this.filesIn(path)) found.files.push(file);
      for (const inner of this.foldersIn(path)) stack.push(inner);
    }
    return found;
  }

  #folder(path: string): { files: string[]; folders: string[] } {
    const before = this.#folders.get(path);
    if (before) return before;
    const folder = { files: [], folders: [] };
    this.#folders.set(path, folder);
    if (path !== '') {
      const slash = path.lastIndexOf('/');
      this.#folder(slash === -1 ? '' : path.slice(0, slash)).folders.push(path);
    }
    return folder;
  }
}
