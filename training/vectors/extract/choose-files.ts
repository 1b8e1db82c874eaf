import { languageOf } from '../../../packages/context/src/index/definitions/language.ts';
import type { GitFile } from './git-files.ts';
import { isRead, isTestPath } from './is-read.ts';
import { hashOf } from './pair.ts';

const SOURCE_BYTES = 25_000_000;
const FILE_BYTES = { least: 150, most: 160_000 };
const DOCUMENTS = 1500;
/** Tests say much the same; one in so many is enough. */
const TESTS = 3;

/** What is read of a repository. The same files on every machine: in the order of a hash, up to a size. */
export function chooseFiles(files: readonly GitFile[]): { sources: GitFile[]; documents: GitFile[] } {
  const fit = files
    .filter(({ path, size }) => size >= FILE_BYTES.least && size <= FILE_BYTES.most && isRead(path))
    .toSorted((one, other) => hashOf(one.path) - hashOf(other.path));
  const isDocument = ({ path }: GitFile) => languageOf(path) === 'markdown';
  const sources: GitFile[] = [];
  let bytes = 0;
  for (const file of fit) {
    if (isDocument(file) || (isTestPath(file.path) && hashOf(`${file.path}x`) % TESTS !== 0)) continue;
    if ((bytes += file.size) > SOURCE_BYTES) break;
    sources.push(file);
  }
  return { sources, documents: fit.filter(isDocument).slice(0, DOCUMENTS) };
}
