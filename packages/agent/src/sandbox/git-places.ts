import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Where else git looks for what it obeys, given a `.git`: the folder that a worktree or submodule refers to, the one it shares, and
 * the hooks and files that their configuration names. None of them has to be there.
 */
export async function gitPlaces(dotGit: string): Promise<string[]> {
  const told = /^gitdir: (.+)$/m.exec(await textOf(dotGit))?.[1];
  const own = told === undefined ? dotGit : resolve(dirname(dotGit), told);
  const shared = (await textOf(join(own, 'commondir'))).trim();
  const folders = shared === '' ? [own] : [own, resolve(own, shared)];

  const named = folders.flatMap((folder) => ['hooks', 'config', 'config.worktree'].map((name) => join(folder, name)));
  const configured = await Promise.all(
    named.map(async (file) => {
      const values = [...(await textOf(file)).matchAll(CONFIGURED)].map(([, value]) => value!.trim());
      // Included files are meant from where the configuration is, hooks from where the files are.
      return values.flatMap((value) => [resolve(dirname(file), value), resolve(dirname(dotGit), value)]);
    }),
  );
  return [...folders, ...named, ...configured.flat()];
}

const CONFIGURED = /^\s*(?:\[.*\]\s*)?(?:path|hooksPath)\s*=\s*"?([^"\n#;]+)/gim;

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return ''; // A folder, or nothing.
  }
}
