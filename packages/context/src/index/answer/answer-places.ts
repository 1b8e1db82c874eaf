import type { CodePlace } from '@dragoman/protocol';
import type { Hit } from '../code-index.ts';
import type { BlobContents } from './format-answer.ts';
import { redactSecrets } from './redact-secrets.ts';
import { sourceLines } from './source-lines.ts';
import { wantedLines } from './wanted-lines.ts';

/** The hits with the text that stands there, in the same order; one whose blob is not given is passed over. */
export function answerPlaces(hits: readonly Hit[], contents: BlobContents): CodePlace[] {
  const linesOf = new Map<string, string[]>();
  return hits.flatMap((hit) => {
    const content = contents.get(hit.blobName);
    if (content === undefined) return [];
    let lines = linesOf.get(hit.blobName);
    if (lines === undefined) {
      lines = sourceLines(redactSecrets(content.text, content.path));
      linesOf.set(hit.blobName, lines);
    }
    const { start, end } = wantedLines(hit, lines.length);
    const { symbol, score } = hit;
    const text = lines.slice(start - 1, end).join('\n');
    return [{ path: content.path, start, end, ...(symbol === undefined ? {} : { symbol }), score, text }];
  });
}
