import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readProjectFile } from '@dragoman/server/files';
import { readBlobs } from './read-blobs.ts';
import type { TreeEntry } from './read-tree.ts';
import type { ShadowRepository } from './shadow-repository.ts';

const MAX_RULE_BYTES = 1024 * 1024;

type Tree = ReadonlyMap<string, TreeEntry>;

/**
 * Which of these files were ignored in a state. Such a file is not in its tree though it may well have been there, so
 * taking it for new would delete something of the person's: think of `.env`, and a step that edited `.gitignore`.
 *
 * Nothing is asked unless the rules above one of the files differ from those of now.
 */
export async function ignoredThen(
  shadow: ShadowRepository,
  paths: readonly string[],
  then: Tree,
  now: Tree,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const rules = new Set(paths.flatMap(ruleFilesAbove));
  if ([...rules].every((path) => then.get(path)?.blob === now.get(path)?.blob)) return new Set();

  const place = await mkdtemp(join(shadow.gitDir, 'rules-'));
  try {
    await copyRulesAbove(shadow, place);
    const root = join(place, shadow.prefix);
    await mkdir(root, { recursive: true });
    const found = [...rules].filter((path) => then.get(path)?.kind === 'file');
    let at = 0;
    for await (const { content } of readBlobs(
      shadow,
      found.map((path) => then.get(path)!.blob),
      signal,
    )) {
      const path = join(root, found[at++]!);
      if (content === undefined) continue;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    const { stdout } = await shadow.git(['check-ignore', '--no-index', '-z', '--stdin'], {
      workTree: place,
      cwd: root,
      // With a dot in front no name looks like a pattern.
      input: paths.map((path) => `./${path}\0`).join(''),
      accept: [0, 1],
      signal,
    });
    return new Set(Array.from(stdout.toString('utf8').matchAll(/\.\/([^\0]+)\0/g), ([, path]) => path!));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function ruleFilesAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.gitignore'] : [`${folder}/.gitignore`, ...ruleFilesAbove(folder)];
}

/** The rules of folders above the project are not part of its states; they are taken as they are now. */
async function copyRulesAbove({ workTree, prefix }: ShadowRepository, place: string): Promise<void> {
  const folders = prefix.split('/').slice(0, -1);
  for (let depth = 0; depth < folders.length; depth++) {
    const folder = folders.slice(0, depth).join('/');
    await mkdir(join(place, folder), { recursive: true });
    const rules = readRules(join(workTree, folder, '.gitignore'), workTree);
    if (rules !== undefined) await writeFile(join(place, folder, '.gitignore'), rules);
  }
}

function readRules(path: string, workTree: string): Buffer | undefined {
  try {
    return readProjectFile(path, { project: workTree, maxBytes: MAX_RULE_BYTES })?.bytes;
  } catch {
    return undefined;
  }
}
