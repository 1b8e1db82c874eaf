import type { PermissionSubject } from '@dragoman/protocol';
import { pathTexts } from './expand-word.ts';
import { type FoundLinks, isNoFile, permissionPaths } from './file-commands.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { Redirect, SimpleCommand } from './shell-visitor.ts';
import type { ShellWord } from './shell-word.ts';
import { touchedPaths } from './touched-paths.ts';
import { resolveIn, type WorkingFolders } from './working-folders.ts';

/**
 * Collects the files that a shell text may read or write, as subjects that count only where that is denied. What is
 * forbidden to `read` and `edit` is then forbidden to commands as well, as far as their words show it.
 */
export class TouchedFiles {
  readonly #place: { cwd: string; root: string; home: string };
  readonly #budget: ReadingBudget;
  readonly #links: FoundLinks;
  readonly #touched = new Map<string, PermissionSubject>();

  constructor(place: { cwd: string; root: string; home: string }, budget: ReadingBudget, links: FoundLinks) {
    this.#place = place;
    this.#budget = budget;
    this.#links = links;
  }

  get subjects(): PermissionSubject[] {
    return [...this.#touched.values()];
  }

  /** What stands behind a command's name. A wrapper's words are those of the command inside, which is told by itself. */
  words(name: string, { words, folders }: SimpleCommand, isWrapper: boolean): void {
    const { home } = this.#place;
    const budget = this.#budget;
    for (const folder of this.#foldersOr(folders)) {
      const touched = touchedPaths(name, words.slice(1), { home, folder, isWrapper, budget });
      for (const { path, isWriting, isGuess } of touched) {
        this.#touch(path, folder, 'read', isGuess);
        if (isWriting) this.#touch(path, folder, 'edit', isGuess);
      }
    }
  }

  /** What is kept in a variable: what uses the variable does not show it. */
  value(value: ShellWord, { isWriting }: { isWriting: boolean }): void {
    const { cwd, home } = this.#place;
    for (const path of pathTexts(value, home, cwd, this.#budget).filter((each) => /[./]/.test(each))) {
      this.#touch(path, cwd, 'read', true);
      if (isWriting) this.#touch(path, cwd, 'edit', true);
    }
  }

  redirect({ isWriting, file, folders }: Redirect): void {
    for (const folder of this.#foldersOr(folders))
      for (const path of pathTexts(file, this.#place.home, folder, this.#budget))
        this.#touch(path, folder, isWriting ? 'edit' : 'read', false);
  }

  #touch(path: string, folder: string, deniedAs: 'read' | 'edit', isGuess: boolean): void {
    this.#budget.spend('paths');
    const files = resolveIn([folder], path)!.filter((file) => !isNoFile(file));
    for (const value of files.flatMap((file) => permissionPaths(file, this.#place.root, this.#links))) {
      const key = `${deniedAs} ${value}`;
      if (isGuess && this.#touched.has(key)) continue;
      this.#touched.set(key, { kind: 'path', value, deniedAs, ...(isGuess && { isGuess }) });
    }
  }

  /** Where it may stand; when that can be anywhere, where it began. */
  #foldersOr(folders: WorkingFolders): readonly string[] {
    return folders ?? [this.#place.cwd];
  }
}
