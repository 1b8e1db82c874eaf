import { execFileSync } from 'node:child_process';
import { languageOf } from '../../../packages/context/src/index/definitions/language.ts';
import type { GitFile } from './git-files.ts';
import { isRead } from './is-read.ts';

/** What a repository may be used under, or why it may not be used. */
export type LicenceVerdict = { licence: string } | { refused: string };

const NAMES = /^((mit|bsd|apache)[-_])?(licen[cs]es?|copying|copyright|unlicense)([-._][^/]*)?$/i;
/** These tell of others' code, which is not read, or of what a built package carries along. */
const OF_OTHERS = /third|notice|[-._](bin|binary|bundled|vendored)\b/i;
const OF_A_BUILD = /^\W*This binary distribution of/;
const NOT_TEXT = /\.(ya?ml|json|xml|html?|svg|png|s?css|less|whl|zip|gz)$/i;

/** By which words a licence is known. */
const TEXTS: readonly [name: string, isPermissive: boolean, sign: RegExp][] = [
  ['AGPL', false, /GNU AFFERO GENERAL PUBLIC|\bAGPL\b/i],
  ['LGPL', false, /GNU (LESSER|LIBRARY) GENERAL PUBLIC/i],
  ['GPL', false, /GNU GENERAL PUBLIC LICENSE/i],
  ['MPL', false, /Mozilla Public License/i],
  ['EPL', false, /Eclipse Public License/i],
  ['CDDL', false, /COMMON DEVELOPMENT AND DISTRIBUTION/i],
  ['SSPL', false, /Server Side Public License/i],
  ['BUSL', false, /Business Source License/i],
  ['Elastic', false, /Elastic License/i],
  ['Commons Clause', false, /Commons Clause/i],
  ['Sustainable Use', false, /Sustainable Use License/i],
  [
    'Creative Commons',
    false,
    /Creative Commons (Public )?(Attribution|BY|Non)|Attribution-?(ShareAlike|NonCommercial)|\bCC[- ]BY\b/i,
  ],
  ['enterprise', false, /Enterprise (Edition )?(\(\w+\) )?License|commercial licen[sc]e (is )?required/i],
  ['Apache-2.0', true, /Apache License,?\s+Version 2\.0|PackageLicenseDeclared: Apache-2\.0/i],
  ['MIT', true, /Permission is hereby granted, free of charge|\bMIT License\b|PackageLicenseDeclared: MIT/i],
  ['BSD', true, /Redistribution and use (of this software )?in source and binary forms/i],
  ['ISC', true, /Permission to use, copy, modify,? and(\/or)? distribute/i],
  ['MulanPSL-2.0', true, /Mulan PSL v2|木兰宽松许可证/i],
  ['Zlib', true, /'as-is', without any express or implied/i],
  ['BSL-1.0', true, /Boost Software License/i],
  ['PostgreSQL', true, /PostgreSQL Licen[cs]e/i],
  ['Python', true, /PYTHON SOFTWARE FOUNDATION LICENSE/i],
  ['Unlicense', true, /This is free and unencumbered software/i],
  ['CC0', true, /CC0 1\.0 Universal/i],
];

/** Python's own licence tells which law holds for what was once under the GPL; it is not under it. */
const SAID_IN_PASSING = /previously distributed under the\s+GNU General Public License \(GPL\)/gi;

/**
 * Whether a repository may be used: a licence file at its root names a permissive licence, and no licence file, there or over a
 * folder that is read, names one that is not.
 */
export function judgeLicence(gitDir: string, files: readonly GitFile[]): LicenceVerdict {
  const found = new Set<string>();
  const read = files.filter(({ path }) => isRead(path)).map(({ path }) => path);
  for (const file of files) {
    const place = placeOf(file.path, read);
    if (place === undefined) continue;
    const verdict = judgeText(textOf(gitDir, file));
    if (verdict.refused !== undefined) return { refused: `${file.path} names ${verdict.refused}` };
    if (place === 'root') for (const name of verdict.names) found.add(name);
    if (verdict.names.length === 0 && verdict.isLong && /licen[cs]e|copying/i.test(file.path) && place !== 'page')
      return { refused: `${file.path} is a licence that is not known` };
  }
  if (found.size === 0) return { refused: 'there is no licence file' };
  return { licence: [...found].toSorted().join(', ') };
}

/** Where a licence file stands: at the root, over a folder that is read, or as a page of documentation. */
function placeOf(path: string, read: readonly string[]): 'root' | 'folder' | 'page' | undefined {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  if (path.startsWith('LICENSES/')) return 'root'; // The convention of REUSE.
  if (!NAMES.test(name) || OF_OTHERS.test(name) || NOT_TEXT.test(name)) return undefined;
  if (slash === -1) return 'root';
  const language = languageOf(path);
  if (language !== undefined && language !== 'markdown') return undefined;
  const folder = path.slice(0, slash + 1);
  if (!read.some((other) => other !== path && other.startsWith(folder))) return undefined;
  return language === 'markdown' ? 'page' : 'folder';
}

/** A licence speaks of others, but of itself first. */
function judgeText(text: string): { names: string[]; isLong: boolean; refused?: string } {
  if (OF_A_BUILD.test(text)) return { names: [], isLong: false };
  const said = text.replaceAll(SAID_IN_PASSING, '');
  const found = TEXTS.map(([name, isPermissive, sign]) => ({ name, isPermissive, at: said.search(sign) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at);
  const refused = found.find(({ isPermissive }) => !isPermissive);
  const isLong = said.trim().length > 200;
  return { names: found.map(({ name }) => name), isLong, ...(refused === undefined ? {} : { refused: refused.name }) };
}

function textOf(gitDir: string, file: GitFile): string {
  return execFileSync('git', ['--git-dir', gitDir, 'cat-file', 'blob', file.sha], { maxBuffer: 1 << 26 }).toString(
    'utf8',
  );
}
