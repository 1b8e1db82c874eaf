import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much of an output the model is shown. */
export const MAX_OUTPUT_LINES = 2_000;
/** The same in bytes; whichever is reached first counts. */
export const MAX_OUTPUT_BYTES = 50 * 1024;

/** An output that is short enough. */
export interface BoundedOutput {
  output: string;
  /** Where the whole output is, when not all of it is shown. */
  outputFile?: string;
}

/**
 * Cuts an output that is too long at whole lines, and keeps all of it in a file that the model may read.
 *
 * The head is shown, or the tail of what tells its news last, such as a command.
 */
export function boundOutput(
  output: string,
  { folder, name, keeps = 'head' }: { folder: string; name: string; keeps?: 'head' | 'tail' },
): BoundedOutput {
  if (output.length <= MAX_OUTPUT_BYTES / 4 && !hasManyLines(output)) return { output };
  const lines = output.split('\n');
  if (lines.length <= MAX_OUTPUT_LINES && Buffer.byteLength(output) <= MAX_OUTPUT_BYTES) return { output };
  const outputFile = join(folder, `${name.replace(/[^\w.-]/g, '_')}.txt`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(outputFile, output, { mode: 0o600 });
  const shown = keeps === 'head' ? takeHead(lines) : takeHead(lines.toReversed()).toReversed();
  const note = `[${lines.length - shown.length} of ${lines.length} lines are not shown. The whole output is in ${outputFile}; read it with offset and limit, or search it with grep.]`;
  const text = shown.join('\n');
  return { output: keeps === 'head' ? `${text}\n\n${note}` : `${note}\n\n${text}`, outputFile };
}

function hasManyLines(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (++lines >= MAX_OUTPUT_LINES) return true;
  return false;
}

function takeHead(lines: readonly string[]): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (taken.length === MAX_OUTPUT_LINES) break;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_OUTPUT_BYTES) {
      // One line can be longer than everything.
      if (taken.length === 0) taken.push(Buffer.from(line).subarray(0, MAX_OUTPUT_BYTES).toString('utf8'));
      break;
    }
    taken.push(line);
  }
  return taken;
}
