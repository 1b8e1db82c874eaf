import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { collectCandidates } from '../../packages/context/src/index/rank/candidates.ts';
import { compareMeaning } from '../../packages/context/src/index/rank/file-meaning.ts';
import { FEATURES } from '../../packages/context/src/index/rank/feature-names.ts';
import { fileFeatures } from '../../packages/context/src/index/rank/file-features.ts';
import { liveSegments } from '../../packages/context/src/index/rank/live-segment.ts';
import { readQuestion } from '../../packages/context/src/index/rank/question.ts';
import { SegmentBuilder } from '../../packages/context/src/index/segment/segment-builder.ts';
import { writeSegmentFile } from '../../packages/context/src/index/segment/segment-file.ts';
import { SegmentReader } from '../../packages/context/src/index/segment/segment-reader.ts';
import type { CodeVectors } from '../../packages/context/src/index/vectors/code-vectors.ts';
import { builtInVectors } from '../../packages/context/src/index/vectors/built-in-vectors.ts';
import { blobName } from '../../packages/context/src/sync/blob-name.ts';
import type { LabelledQuestion } from './load-questions.ts';

/** Every question's candidates in a row, feature by feature. */
export interface Dataset {
  /** Where each question's rows begin, and at the end how many rows there are. */
  starts: Uint32Array;
  isRight: Uint8Array;
  paths: string[];
  columns: Float32Array[];
}

/** Segments are kept in `cache`, and so is the dataset, under a name made of the code that made it. */
export function makeDataset(
  questions: readonly LabelledQuestion[],
  { cache, vectors, log }: { cache: string; vectors: CodeVectors | undefined; log: (line: string) => void },
): Dataset {
  mkdirSync(cache, { recursive: true });
  const scopes = [...Map.groupBy(questions, scopeOf)].map(([scope, [asked]]) => ({ scope, asked: asked! }));
  const segments = new Map(scopes.map(({ scope, asked }) => [scope, segmentFile(asked, cache, log)]));
  const kind = vectors === undefined ? 'words' : 'features';
  const file = join(cache, `${kind}-${fingerprint([...segments.values()])}.bin`);
  if (existsSync(file)) return deserialize(readFileSync(file)) as Dataset;
  const dataset = ask(questions, segments, vectors, log);
  writeFileSync(file, serialize(dataset));
  return dataset;
}

const scopeOf = ({ folder, root }: LabelledQuestion) => `${folder}\n${root}`;

function ask(
  questions: readonly LabelledQuestion[],
  segments: ReadonlyMap<string, string>,
  vectors: CodeVectors | undefined,
  log: (line: string) => void,
): Dataset {
  const starts = new Uint32Array(questions.length + 1);
  const isRight: number[] = [];
  const paths: string[] = [];
  const rows: Float32Array[] = [];
  let open: { scope: string; reader: SegmentReader; live: ReturnType<typeof liveSegments> } | undefined;
  const started = performance.now();
  for (const [index, question] of questions.entries()) {
    const scope = scopeOf(question);
    if (open?.scope !== scope) {
      open?.reader.close();
      const reader = new SegmentReader(segments.get(scope)!);
      const blobNames = new Set(Array.from({ length: reader.fileCount }, (_, file) => reader.blobName(file)));
      open = { scope, reader, live: liveSegments([reader], { key: scope, blobNames }) };
    }
    const { query } = question;
    const read = readQuestion(query, vectors?.translate(query));
    const vector = read.hasMeaning ? vectors?.question(query) : undefined;
    const collected = collectCandidates(open.live, read, vector && compareMeaning(open.live, vector));
    rows.push(...fileFeatures(read, collected, read.hasMeaning ? vectors?.nameLikeness(query) : undefined));
    const right = new Set(question.right.map(({ path }) => path));
    for (const { file } of collected.candidates) {
      const path = open.reader.path(file);
      paths.push(path);
      isRight.push(right.has(path) ? 1 : 0);
    }
    starts[index + 1] = rows.length;
  }
  open?.reader.close();
  log(`${questions.length} questions asked in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const columns = FEATURES.map((_, feature) => Float32Array.from(rows, (row) => row[feature]!));
  return { starts, isRight: Uint8Array.from(isRight), paths, columns };
}

/** The segment of one scope of one repository. Delete the cache when the code that reads files has changed. */
function segmentFile({ folder, root, repo }: LabelledQuestion, cache: string, log: (line: string) => void): string {
  const file = join(cache, `${folder.split('/').slice(-2).join('-')}-${root.replaceAll('/', '_')}.seg`);
  if (existsSync(file)) return file;
  const builder = new SegmentBuilder(builtInVectors());
  const started = process.cpuUsage();
  let bytes = 0;
  for (const path of [...listFiles(folder, root)].sort()) {
    const content = readFileSync(join(folder, path));
    if (content.subarray(0, 8000).includes(0) || !isUtf8(content)) continue;
    bytes += content.length;
    builder.add({ blobName: blobName(path, content), path, content: content.toString() });
  }
  const files = builder.files;
  const size = writeSegmentFile(file, builder.finish());
  const used = process.cpuUsage(started);
  log(
    `${repo} ${root}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, index ${(size / bytes).toFixed(2)} x, ${((used.user + used.system) / 1e6).toFixed(1)} s`,
  );
  return file;
}

const LARGEST_FILE = 1 << 20;

function* listFiles(folder: string, root: string): Generator<string> {
  const stack = [root];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') stack.push(path);
      else if (entry.isFile() && statSync(join(folder, path)).size <= LARGEST_FILE) yield path;
    }
  }
}

/** Changes with the code that ranks, with that of the vectors, and with the segments. */
function fingerprint(segments: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of ['rank', 'vectors'])
    for (const file of sourcesIn(join(import.meta.dirname, `../../packages/context/src/index/${folder}`)))
      hash.update(readFileSync(file));
  for (const segment of segments) hash.update(`${segment} ${statSync(segment).mtimeMs}`);
  return hash.digest('hex').slice(0, 12);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));
}
