import { posix } from 'node:path';
import type { BlobFacts } from '../index/blobs/blob-store.ts';
import { languageOf } from '../index/definitions/language.ts';

export interface FilesDescription {
  files: number;
  bytes: number;
  /** Most files first. */
  languages: { name: string; files: number; bytes: number }[];
  /** Folders with their counts of files, and the files at the top. */
  tree: string;
}

const MAX_DEPTH = 3;
const MAX_LINES = 200;

/** Languages that are read by the rules of another one, by their endings. */
const OTHER_NAMES = new Map(
  Object.entries({
    javascript: 'js jsx mjs cjs es6',
    groovy: 'groovy gradle',
    svelte: 'svelte',
    astro: 'astro',
    restructuredtext: 'rst',
    asciidoc: 'adoc',
    cuda: 'cu cuh',
  }).flatMap(([name, endings]) => endings.split(' ').map((ending) => [ending, name])),
);

/** What a set of files looks like from above. */
export function describeFiles(files: readonly BlobFacts[]): FilesDescription {
  const languages = new Map<string, { name: string; files: number; bytes: number }>();
  let bytes = 0;
  for (const { path, size } of files) {
    bytes += size;
    const name = languageName(path);
    const sum = languages.get(name) ?? { name, files: 0, bytes: 0 };
    sum.files++;
    sum.bytes += size;
    languages.set(name, sum);
  }
  return {
    files: files.length,
    bytes,
    languages: [...languages.values()].sort((one, other) => other.files - one.files),
    tree: drawTree(files.map(({ path }) => path)),
  };
}

/** What people call the language of a file. */
function languageName(path: string): string {
  const ending = posix.extname(path).slice(1).toLowerCase();
  return OTHER_NAMES.get(ending) ?? languageOf(path) ?? 'other';
}

function drawTree(paths: readonly string[]): string {
  const folders = new Map<string, number>();
  const atTop: string[] = [];
  for (const path of paths) {
    const parts = path.split('/');
    if (parts.length === 1) atTop.push(path);
    for (let depth = 1; depth < Math.min(parts.length, MAX_DEPTH + 1); depth++) {
      const folder = parts.slice(0, depth).join('/');
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  // By whole names, so that `a-b` does not come between `a` and what is in it.
  const sorted = [...folders].map(([folder, count]) => ({ parts: folder.split('/'), count }));
  sorted.sort((one, other) => compareParts(one.parts, other.parts));
  const lines = [
    ...sorted.map(
      ({ parts, count }) =>
        `${'  '.repeat(parts.length - 1)}${parts.at(-1)}/ (${count} ${count === 1 ? 'file' : 'files'})`,
    ),
    ...atTop.sort(),
  ];
  if (lines.length <= MAX_LINES) return lines.join('\n');
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`].join('\n');
}

function compareParts(one: readonly string[], other: readonly string[]): number {
  for (let depth = 0; depth < Math.min(one.length, other.length); depth++)
    if (one[depth] !== other[depth]) return one[depth]! < other[depth]! ? -1 : 1;
  return one.length - other.length;
}
