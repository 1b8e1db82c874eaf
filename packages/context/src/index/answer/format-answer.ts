import type { Turns } from '@dragoman/protocol/secrets';
import type { Hit } from '../code-index.ts';
import { layOutPieces, type Run, shownRuns, type SourceFile } from './lay-out-pieces.ts';
import { redactLines } from './redact-lines.ts';
import { sourceLines } from './source-lines.ts';
import { wantedLines } from './wanted-lines.ts';

/** What a blob holds, by its name. */
export type BlobContents = ReadonlyMap<string, { path: string; text: string }>;

/**
 * The answer a model reads: where the hits are and what stands there, no longer than `maxLength` characters.
 *
 * The hits come best first; one whose blob is not given is passed over. Made a piece at a time, so that others need not wait.
 */
export function* formatAnswer({
  hits,
  contents,
  maxLength,
}: {
  hits: readonly Hit[];
  contents: BlobContents;
  maxLength: number;
}): Turns<string> {
  const files: WholeFile[] = [];
  for (const [blobName, ofFile] of Map.groupBy(hits, (hit) => hit.blobName)) {
    const content = contents.get(blobName);
    if (content === undefined) continue;
    const lines = sourceLines(content.text);
    files.push({
      path: content.path,
      firstLine: 1,
      lines,
      wanted: ofFile.map((hit) => wantedLines(hit, lines.length)),
    });
    yield;
  }
  if (files.length === 0) {
    const nothing = 'No code was found for this request.\n';
    return nothing.length <= maxLength ? nothing : '';
  }
  // Redacting takes most of the time that an answer takes, so only what would be shown is redacted, and then laid out.
  const shown = shownRuns(files, maxLength);
  const redacted: SourceFile[] = [];
  for (const [index, file] of files.entries()) redacted.push(yield* redactedFile(file, shown[index]!));
  return layOutPieces(redacted, maxLength);
}

interface WholeFile extends SourceFile {
  lines: string[];
}

/** The file with no other lines than these, without their secrets. */
function* redactedFile(file: WholeFile, runs: readonly Run[]): Turns<SourceFile> {
  const lines: string[] = Array.from({ length: file.lines.length });
  for (const { start, end } of runs) {
    const redacted = yield* redactLines(file.lines, start - 1, end, file.path);
    for (const [index, line] of redacted.entries()) lines[start - 1 + index] = line;
    yield;
  }
  return { ...file, lines };
}
