import { devNull } from 'node:os';
import { type GitSetting, NO_PROGRAM } from './git-environment.ts';

/** What a repository's own configuration would run, or have read from anywhere. */
export interface OwnPrograms {
  /** Takes back what a setting can take back. */
  settings: GitSetting[];
  /** Settings that only options of the command turn off, `--no-ext-diff` and `--no-textconv`. */
  remaining: string[];
}

/** Settings of the repository, and the value with which they run nothing of it. */
const TAKEN_BACK: readonly (readonly [RegExp, string])[] = [
  [/^merge\.[^]+\.driver$/, NO_PROGRAM],
  [/^gpg\.ssh\.defaultkeycommand$/, NO_PROGRAM],
  [/^trailer\.[^]+\.(command|cmd)$/, NO_PROGRAM],
  [/^hook\.[^]+\.command$/, NO_PROGRAM],
  [/^interactive\.difffilter$/, NO_PROGRAM],
  [/^pager\.[^]+$/, 'false'],
  [/^credential\.[^]*helper$/, ''],
  // Git shows what is in these files: in a complaint, as a name, or by what it leaves out.
  [/^(core\.(attributes|excludes)file|mailmap\.file|diff\.orderfile)$/, devNull],
];
const FILTER = /^filter\.([^]*)\.(?:clean|smudge|process)$/;
const SUBMODULE = /^submodule\.([^]+)\.[^.]+$/;
const DIFF_PROGRAM = /^diff\.(external|[^]+\.(command|textconv))$/;
/** Git LFS runs what these name, or takes files from there, also where it was the user who set it up. */
const OBEYED_BY_LFS = /^lfs\.([^]+\.)?(extension|customtransfer|standalonetransferagent|sshtransfer|storage)/;

/**
 * What of a repository's own settings would run a program or name a file that git reads, and how that is prevented; `keys`
 * are their names. The user's own filters, such as those of Git LFS, stay.
 */
export function withoutOwnPrograms(keys: readonly string[]): OwnPrograms {
  const settings = new Map<string, string>();
  const remaining = new Set<string>();
  const turnOff = (filter: string) => {
    for (const step of ['clean', 'smudge', 'process']) settings.set(`filter.${filter}.${step}`, '');
    settings.set(`filter.${filter}.required`, 'false');
  };
  for (const key of keys) {
    const filter = FILTER.exec(key)?.[1];
    const submodule = SUBMODULE.exec(key)?.[1];
    if (filter !== undefined) turnOff(filter);
    else if (submodule !== undefined) settings.set(`submodule.${submodule}.ignore`, 'dirty');
    else if (OBEYED_BY_LFS.test(key)) turnOff('lfs');
    else if (DIFF_PROGRAM.test(key)) remaining.add(key);
    else {
      const taken = TAKEN_BACK.find(([pattern]) => pattern.test(key));
      if (taken !== undefined) settings.set(key, taken[1]);
    }
  }
  return { settings: [...settings], remaining: [...remaining] };
}
