import { execFileSync } from 'node:child_process';
import { languageOf } from '../../../packages/context/src/index/definitions/language.ts';
import { chooseFiles } from './choose-files.ts';
import { commitPairs } from './commit-pairs.ts';
import { docPairs } from './doc-pairs.ts';
import { filePairs, type NamedCode } from './file-pairs.ts';
import { type GitFile, listFiles, readFiles } from './git-files.ts';
import { judgeLicence } from './licence.ts';
import { hashOf, type Pair, type PairKind } from './pair.ts';
import { englishPaths, isTranslation, translationPairs } from './translation-pairs.ts';

/** So many pairs of each kind are taken from one repository, so that no large one outweighs the others. */
const MOST: Record<PairKind, number> = {
  doc: 40_000,
  name: 25_000,
  inline: 15_000,
  test: 4_000,
  head: 4_000,
  md: 6_000,
  commit: 6_000,
  both: 20_000,
};
const COMMITS = 900;
const TRANSLATIONS = { files: 3000, bytes: 2_000_000 };

/** What a repository gave, or why it was refused. */
export type Extracted =
  | { commit: string; refused: string }
  | { commit: string; licence: string; files: number; bytes: number; pairs: Pair[] };

/** The pairs of one repository at one commit. Its licence is judged first, unless the code is one's own. */
export async function extractRepository(of: { gitDir: string; commit: string; isOwn: boolean }): Promise<Extracted> {
  const { gitDir } = of;
  const commit = execFileSync('git', ['--git-dir', gitDir, 'rev-parse', '--verify', `${of.commit}^{commit}`])
    .toString()
    .trim();
  const all = listFiles(gitDir, commit);
  const verdict = of.isOwn ? { licence: 'own' } : judgeLicence(gitDir, all);
  if ('refused' in verdict) return { commit, refused: verdict.refused };
  const { sources, documents } = chooseFiles(all);
  const fromSources: Pair[][] = [];
  const defined = new Map<string, NamedCode | undefined>();
  // A name that is defined twice leads nowhere.
  const name = (symbol: string, code: NamedCode) => defined.set(symbol, defined.has(symbol) ? undefined : code);
  const texts: string[] = [];
  await readFiles(gitDir, [...sources, ...documents], (file, bytes) => {
    const language = languageOf(file.path);
    if (language === undefined) return;
    const text = bytes.toString('utf8');
    if (language === 'markdown') texts.push(text);
    else fromSources.push(filePairs(file.path, language, text, name));
  });
  const pairs = [
    ...fromSources.flat(),
    ...docPairs(texts, defined, MOST.md),
    ...commitPairs(gitDir, commit, { commits: COMMITS, most: MOST.commit }),
    ...(await readTranslations(gitDir, all)),
  ];
  const bytes = sources.reduce((sum, { size }) => sum + size, 0);
  return { commit, licence: verdict.licence, files: sources.length, bytes, pairs: limit(pairs) };
}

async function readTranslations(gitDir: string, files: readonly GitFile[]): Promise<Pair[]> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const chinese = files
    .filter(({ path, size }) => isTranslation(path) && size < TRANSLATIONS.bytes && !path.includes('node_modules'))
    .slice(0, TRANSLATIONS.files);
  const english = new Map<string, GitFile>();
  for (const { path } of chinese) {
    const found = englishPaths(path).flatMap((other) => byPath.get(other) ?? [])[0];
    if (found !== undefined) english.set(path, found);
  }
  const texts = new Map<string, string>();
  await readFiles(gitDir, [...new Set([...chinese, ...english.values()])], (file, bytes) => {
    texts.set(file.path, bytes.toString('utf8'));
  });
  return chinese.flatMap(({ path }) => {
    const other = english.get(path)?.path;
    return translationPairs(path, texts.get(path) ?? '', other === undefined ? undefined : texts.get(other));
  });
}

/** Of too many, every so manieth by a hash; the same ones each time. */
function limit(pairs: readonly Pair[]): Pair[] {
  return [...Map.groupBy(pairs, ({ kind }) => kind)].flatMap(([kind, list]) =>
    list.length <= MOST[kind]
      ? list
      : list
          .map((pair, index) => ({ pair, order: hashOf(`${pair.path} ${index}`) }))
          .toSorted((one, other) => one.order - other.order)
          .slice(0, MOST[kind])
          .map(({ pair }) => pair),
  );
}
