import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathsOnDisk } from './house.fixture.ts';

const WORDS = (
  'retry cache parser socket invoice shape queue token matrix session load store merge draw limit count flush split ' +
  'branch commit ledger planet window carrot engine filter garden hammer island jacket kettle lantern magnet needle'
).split(' ');

/** A word that stands in one version of one file only. */
export function plantedWord(file: number, version: number): string {
  return `zw${letters(file, 3)}y${letters(version, 3)}q`;
}

function letters(number: number, count: number): string {
  let text = '';
  for (let rest = number, at = 0; at < count; at++, rest = Math.floor(rest / 20))
    text = 'bcdfghjklmnpqrstvwxz'[rest % 20]! + text;
  return text;
}

/** Writes a version of a file; its first line tells both numbers. */
export function plantFile(root: string, file: number, version: number): string {
  const path = pathOf(file);
  const random = randomFrom(file * 1_000 + version);
  const word = () => WORDS[Math.floor(random() * WORDS.length)]!;
  const [verb, subject] = [word(), word()];
  const lines = Array.from(
    { length: 3 + Math.floor(random() * 40) },
    () => `  ${word()}(${word()}); // ${word()} ${word()}`,
  );
  const text = [
    `// planted ${file} ${version} ${plantedWord(file, version)}`,
    `export function ${verb}${subject[0]!.toUpperCase()}${subject.slice(1)}(${word()}: number) {`,
    ...lines,
    '}',
    '',
  ].join('\n');
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return path;
}

export function plantTree(root: string, files: number): void {
  for (let file = 0; file < files; file++) plantFile(root, file, 0);
}

/** Which version of each file stands on disk. One that somebody was killed over while writing it has none. */
export function plantedOnDisk(root: string): { path: string; file: number; version: number }[] {
  return pathsOnDisk(root).flatMap((path) => {
    const planted = /^\/\/ planted (\d+) (\d+) \w+\n/.exec(readFileSync(join(root, path), 'utf8'));
    return planted === null ? [] : [{ path, file: Number(planted[1]), version: Number(planted[2]) }];
  });
}

/** Some files are written again, one is deleted, one is new. What was taken out is not planted again. */
export function editTree(root: string, random: () => number): void {
  const planted = plantedOnDisk(root);
  const choose = () => planted[Math.floor(random() * planted.length)]!;
  for (let edit = 0; edit < 3; edit++) {
    const { file, version } = choose();
    plantFile(root, file, version + 1);
  }
  rmSync(join(root, choose().path), { force: true });
  plantFile(root, Math.max(...planted.map(({ file }) => file)) + 1, 0);
}

/** The same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function pathOf(file: number): string {
  return `src/m${file % 7}/zk${letters(file, 3)}h.ts`;
}
