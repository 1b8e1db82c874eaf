import type { Hit } from '../code-index.ts';
import { layOutPieces, type SourceFile } from './lay-out-pieces.ts';
import { redactSource } from '@dragoman/protocol/secrets';
import { sourceLines } from './source-lines.ts';
import { wantedLines } from './wanted-lines.ts';

/** What a blob holds, by its name. */
export type BlobContents = ReadonlyMap<string, { path: string; text: string }>;

/**
 * The answer a model reads: where the hits are and what stands there, no longer than `maxLength` characters.
 *
 * The hits come best first; one whose blob is not given is passed over.
 */
export function formatAnswer({
  hits,
  contents,
  maxLength,
}: {
  hits: readonly Hit[];
  contents: BlobContents;
  maxLength: number;
}): string {
  const files: SourceFile[] = [];
  for (const [blobName, ofFile] of Map.groupBy(hits, (hit) => hit.blobName)) {
    const content = contents.get(blobName);
    if (content === undefined) continue;
    const lineCount = sourceLines(content.text).length;
    files.push(
      new RedactedFile(
        content,
        ofFile.map((hit) => wantedLines(hit, lineCount)),
      ),
    );
  }
  if (files.length > 0) return layOutPieces(files, maxLength);
  const nothing = 'No code was found for this request.\n';
  return nothing.length <= maxLength ? nothing : '';
}

/** Redacting takes most of the time that an answer takes, so a file that comes too late to be shown is left alone. */
class RedactedFile implements SourceFile {
  readonly firstLine = 1;
  readonly path: string;
  readonly wanted: SourceFile['wanted'];
  readonly #text: string;
  #lines: string[] | undefined;

  constructor({ path, text }: { path: string; text: string }, wanted: SourceFile['wanted']) {
    this.path = path;
    this.wanted = wanted;
    this.#text = text;
  }

  /** From the whole file, as a secret may begin above what is shown of it. */
  get lines(): string[] {
    this.#lines ??= sourceLines(redactSource(this.#text, this.path));
    return this.#lines;
  }
}
