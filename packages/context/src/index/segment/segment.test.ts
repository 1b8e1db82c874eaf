import { truncateSync, statSync, writeFileSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Blob } from '../../blob-server.ts';
import { blobName } from '../../sync/blob-name.ts';
import { termHash } from '../text/term-hash.ts';
import { CodeVectors } from '../vectors/code-vectors.ts';
import { wordVectors } from '../vectors/word-vectors.fixture.ts';
import { mergeSegments } from './merge-segments.ts';
import { readPostings } from './postings.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentFile, writeSegmentFile } from './segment-file.ts';
import { SegmentReader } from './segment-reader.ts';

const blob = (path: string, content: string): Blob => ({ blobName: blobName(path, content), path, content });

const VECTORS = new CodeVectors(wordVectors('parse', 'class', 'words', 'main', 'read', '变', '量', '变量'));

function build(blobs: readonly Blob[]): SegmentReader {
  const builder = new SegmentBuilder(VECTORS);
  for (const one of blobs) builder.add(one);
  const file = join(tempFolder(), 'a.seg');
  writeSegmentFile(file, builder.finish());
  return new SegmentReader(file);
}

/** Everything a segment says, by names instead of numbers. */
function tell(reader: SegmentReader) {
  const files = Array.from({ length: reader.fileCount }, (_, file) => {
    const [first, end] = reader.chunksOf(file);
    const [firstDefinition, endDefinition] = reader.definitionsOf(file);
    const vector = (name: 'chunkVectors' | 'pathVectors', row: number) => [
      ...reader.section(name).subarray(row * reader.vectorBytes, (row + 1) * reader.vectorBytes),
    ];
    return {
      name: reader.blobName(file),
      path: reader.path(file),
      pathVector: vector('pathVectors', file),
      lines: reader.section('fileLines')[file],
      terms: reader.section('fileTerms')[file],
      chunks: Array.from({ length: end - first }, (_, index) => [
        reader.section('chunkStart')[first + index],
        reader.section('chunkEnd')[first + index],
        reader.section('chunkTerms')[first + index],
        reader.section('chunkDefinition')[first + index],
        vector('chunkVectors', first + index),
      ]),
      definitions: Array.from({ length: endDefinition - firstDefinition }, (_, index) =>
        reader.definition(firstDefinition + index),
      ),
    };
  });
  const postings: Record<string, [string, number, number][]> = {};
  for (const hash of reader.section('termHashes')) {
    const row: [string, number, number][] = [];
    const { bytes, length } = reader.postings(hash)!;
    readPostings(bytes, length, (chunk, packed) => {
      const file = reader.section('chunkFile')[chunk]!;
      row.push([reader.path(file), chunk - reader.chunksOf(file)[0], packed]);
    });
    postings[hash] = row.sort(([one, chunk], [other, otherChunk]) => one.localeCompare(other) || chunk - otherChunk);
  }
  return { files: files.sort((one, other) => (one.name < other.name ? -1 : 1)), postings };
}

const SHAPE = blob('src/shape.ts', 'export class Shape {\n  areaOf() {\n    return 1;\n  }\n}\n');
const MAIL = blob('src/mail/send.py', 'def send_mail(to):\n    return to\n\n\ndef area():\n    pass\n');

test('a segment tells which chunks have a term, how often, and whether they define it', () => {
  const reader = build([SHAPE, MAIL]);
  const { files, postings } = tell(reader);

  expect(files.map(({ path }) => path).sort()).toEqual(['src/mail/send.py', 'src/shape.ts']);
  // "area" stands in both; as the name of a method and of a function, so it has level 1, once.
  expect(postings[termHash('area')]).toEqual([
    ['src/mail/send.py', 0, 1 | (1 << 6)],
    ['src/shape.ts', 0, 1 | (1 << 6)],
  ]);
  expect(postings[termHash('shape'.slice(0, 4))]).toEqual([['src/shape.ts', 0, 1 | (2 << 6)]]);
  expect(postings[termHash('=sendmail')]).toEqual([['src/mail/send.py', 0, 1 | (1 << 6)]]);
  expect(postings[termHash('return')]).toEqual([
    ['src/mail/send.py', 0, 1],
    ['src/shape.ts', 0, 1],
  ]);
  expect(postings[termHash('~mail')]).toBeUndefined();
  expect(postings[termHash('/mail')]).toEqual([['src/mail/send.py', 0, 1 << 6]]);
});

test('definitions keep their names, lines and what they are in', () => {
  const reader = build([SHAPE]);
  expect(tell(reader).files[0]!.definitions).toEqual([
    { name: 'Shape', kind: 'class', line: 1, endLine: 5 },
    { name: 'areaOf', kind: 'method', line: 2, endLine: 4, container: 'Shape' },
  ]);
});

const anyBlob = fc
  .tuple(
    fc.constantFrom('a.ts', 'b.py', 'dir/c.go', 'd.txt', 'e/f/g.rs', 'README.md', '名.ts'),
    fc.array(
      fc.constantFrom(
        'function parseIt() {',
        '}',
        'class Big:',
        '  def run(self):',
        'fn main() {}',
        'words here',
        '',
        '变量',
      ),
      { maxLength: 40 },
    ),
  )
  .map(([path, lines]) => blob(path, lines.join('\n')));
const blobSet = fc.uniqueArray(anyBlob, { selector: ({ blobName: name }) => name, maxLength: 8 });

test('segments that are merged say the same as one built from what is kept', () => {
  fc.assert(
    fc.property(blobSet, blobSet, fc.infiniteStream(fc.boolean()), (one, other, coin) => {
      const all = [...new Map([...one, ...other].map((each) => [each.blobName, each])).values()];
      const kept = all.filter(() => coin.next().value);
      const names = new Set(kept.map(({ blobName: name }) => name));
      const file = join(tempFolder(), 'merged.seg');
      writeSegmentFile(
        file,
        mergeSegments([build(one), build(other)], (name) => names.has(name)),
      );
      expect(tell(new SegmentReader(file))).toEqual(tell(build(kept)));
    }),
    { numRuns: 60 },
  );
});

test('a segment has a vector for each path and each chunk, to be compared with a question', () => {
  const reader = build([
    blob('a/parse.ts', 'class Words {}\n'),
    blob('b/main.ts', '// 变量\n'),
    blob('c/other.ts', 'void 0;\n'),
  ]);
  const nearest = (name: 'chunkVectors' | 'pathVectors', question: string) => {
    const products = [...reader.vectors(name).scan(VECTORS.question(question)!.numbers)];
    return products.indexOf(Math.max(...products));
  };

  expect(reader.vectorBytes).toBe(16);
  expect(nearest('chunkVectors', 'which words')).toBe(0);
  expect(nearest('chunkVectors', '变量')).toBe(1);
  expect(nearest('pathVectors', 'parse')).toBe(0);
  expect(nearest('pathVectors', 'main')).toBe(1);
});

test('a merged segment can be compared with a question as its parts could', () => {
  const [one, other] = [build([SHAPE, blob('parse.ts', 'class A {}\n')]), build([blob('x.ts', '// words of 变量\n')])];
  const file = join(tempFolder(), 'merged.seg');
  writeSegmentFile(
    file,
    mergeSegments([one, other], (name) => name !== SHAPE.blobName),
  );
  const merged = new SegmentReader(file, { space: VECTORS.space });
  const { numbers } = VECTORS.question('words that parse a class')!;

  expect([...merged.vectors('chunkVectors').scan(numbers)]).toEqual([
    one.vectors('chunkVectors').scan(numbers).at(-1),
    other.vectors('chunkVectors').scan(numbers)[0],
  ]);
  expect([...merged.vectors('pathVectors').scan(numbers)]).toEqual([
    one.vectors('pathVectors').scan(numbers).at(-1),
    other.vectors('pathVectors').scan(numbers)[0],
  ]);
});

test('a segment that was made with other vectors, or with none, is refused where vectors are compared', () => {
  const file = join(tempFolder(), 'a.seg');
  const write = (builder: SegmentBuilder) => {
    builder.add(SHAPE);
    writeSegmentFile(file, builder.finish());
  };

  write(new SegmentBuilder());
  expect(() => new SegmentReader(file, { space: VECTORS.space })).toThrow(
    `a.seg was made with other vectors (none) than those in use (${VECTORS.space})`,
  );
  expect(new SegmentReader(file).vectorBytes).toBe(0);

  const others = new CodeVectors(wordVectors('shape'));
  write(new SegmentBuilder(others));
  expect(() => new SegmentReader(file, { space: VECTORS.space })).toThrow(
    `a.seg was made with other vectors (${others.space}) than those in use (${VECTORS.space})`,
  );
  expect(new SegmentReader(file, { space: others.space }).path(0)).toBe(SHAPE.path);
});

test('a file that was cut short anywhere, or is something else, is refused', () => {
  const builder = new SegmentBuilder();
  builder.add(SHAPE);
  const file = join(tempFolder(), 'a.seg');
  writeSegmentFile(file, builder.finish());
  const whole = statSync(file).size;
  for (let size = whole - 1; size >= 0; size -= 97) {
    truncateSync(file, size);
    expect(() => new SegmentFile(file)).toThrow('is not a whole segment');
  }
  writeFileSync(file, 'something else altogether, which is long enough to be read as a header of a segment'.repeat(20));
  expect(() => new SegmentFile(file)).toThrow('is not a whole segment');
});

test('a file in which any byte is another one is refused; where its last write is known it is not looked over', () => {
  const builder = new SegmentBuilder();
  builder.add(SHAPE);
  const file = join(tempFolder(), 'a.seg');
  writeSegmentFile(file, builder.finish());
  const whole = readFileSync(file);
  for (let at = 8; at < whole.length; at += 89) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 0x10;
    writeFileSync(file, damaged);
    expect(() => new SegmentFile(file)).toThrow(
      /^.*a\.seg is not (?:what was written|a whole segment of version \d+)$/,
    );
  }
  writeFileSync(file, whole);
  new SegmentFile(file).close();
  whole[whole.length - 20]! ^= 1;
  writeFileSync(file, whole);
  new SegmentFile(file, { writtenAt: statSync(file).mtimeMs }).close();
  expect(() => new SegmentFile(file, { writtenAt: statSync(file).mtimeMs - 1 })).toThrow('is not what was written');
});

test('what has the name of a segment is complete: it is written beside its place first', () => {
  const builder = new SegmentBuilder();
  builder.add(MAIL);
  const file = join(tempFolder(), 'a.seg');
  writeSegmentFile(file, builder.finish());
  expect(existsSync(`${file}.partial`)).toBe(false);
  expect(readFileSync(file).readUInt32LE(0)).toBe(0x4d475244);
});

test('a builder that wrote a segment begins the next one empty', () => {
  const builder = new SegmentBuilder(VECTORS);
  builder.add(SHAPE);
  builder.finish();
  builder.add(MAIL);
  const file = join(tempFolder(), 'b.seg');
  writeSegmentFile(file, builder.finish());
  expect(tell(new SegmentReader(file))).toEqual(tell(build([MAIL])));
});
