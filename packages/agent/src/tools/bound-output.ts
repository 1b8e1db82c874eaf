import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How much of an output the model is shown. */
const MAX_OUTPUT_LINES = 2_000;
/** The same in bytes; whichever is reached first counts. */
const MAX_OUTPUT_BYTES = 50 * 1024;

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
  const shown = keeps === 'head' ? takeHead(lines) : takeTail(lines);
  const hidden = `${lines.length - shown.lines.length} of ${lines.length} lines are not shown.`;
  const cut = shown.isCut ? `The ${keeps === 'head' ? 'first' : 'last'} line is cut; ` : '';
  const { outputFile, told } = keep(output, join(folder, `${name.replace(/[^\w.-]/g, '_')}.txt`));
  const note = `[${cut}${hidden} ${told}]`;
  const text = shown.lines.join('\n');
  return {
    output: keeps === 'head' ? `${text}\n\n${note}` : `${note}\n\n${text}`,
    ...(outputFile === undefined ? {} : { outputFile }),
  };
}

/** Where there is no room to keep it, what can be shown is still worth more than an error. */
function keep(output: string, outputFile: string): { outputFile?: string; told: string } {
  try {
    mkdirSync(dirname(outputFile), { recursive: true, mode: 0o700 });
    writeFileSync(outputFile, output, { mode: 0o600 });
  } catch (error) {
    return { told: `They could not be kept: ${(error as Error).message}` };
  }
  return {
    outputFile,
    told: `The whole output is in ${outputFile}; read it with offset and limit, or search it with grep.`,
  };
}

function hasManyLines(text: string): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
    if (++lines >= MAX_OUTPUT_LINES) return true;
  return false;
}

interface Shown {
  lines: string[];
  /** One line can be longer than everything. */
  isCut: boolean;
}

function takeHead(lines: readonly string[]): Shown {
  const taken = takeWhole(lines);
  return taken.length > 0 ? { lines: taken, isCut: false } : { lines: [firstBytes(lines[0]!)], isCut: true };
}

function takeTail(lines: readonly string[]): Shown {
  const taken = takeWhole(lines.toReversed()).toReversed();
  return taken.length > 0 ? { lines: taken, isCut: false } : { lines: [lastBytes(lines.at(-1)!)], isCut: true };
}

function takeWhole(lines: readonly string[]): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (taken.length === MAX_OUTPUT_LINES || bytes > MAX_OUTPUT_BYTES) break;
    taken.push(line);
  }
  return taken;
}

/** A character that is cut in two is left out. */
function firstBytes(line: string): string {
  return new TextDecoder().decode(Buffer.from(line).subarray(0, MAX_OUTPUT_BYTES), { stream: true });
}

function lastBytes(line: string): string {
  const bytes = Buffer.from(line);
  let start = bytes.length - MAX_OUTPUT_BYTES;
  while ((bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString('utf8');
}
