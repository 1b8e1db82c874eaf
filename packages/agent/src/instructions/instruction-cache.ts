import { open, realpath, stat } from 'node:fs/promises';
import { isBelow } from './folders-down.ts';

/** A file that tells agents how to work in a place. */
export interface Instruction {
  path: string;
  text: string;
  /** How large the file is; where it is larger than what is shown of it, `isCut`. */
  bytes: number;
  isCut: boolean;
}

/** More of a file is not shown: it would crowd out the work. */
export const MAX_INSTRUCTION_BYTES = 32 * 1024;

interface Known {
  stamp: string;
  instruction: Instruction | Error;
}

/** Instruction files as they were last read. One that did not change since is not read again. */
export class InstructionCache {
  readonly #known = new Map<string, Known>();

  /**
   * What the file says now, or nothing where there is none. With `within`, a file that leads out of that folder is an
   * error: a project must not be able to put other files of the person's into a prompt.
   */
  async read(path: string, within?: string): Promise<Instruction | undefined> {
    const info = await stat(path).catch(() => undefined);
    if (info === undefined || !info.isFile()) {
      this.#known.delete(path);
      return undefined;
    }
    const stamp = `${info.mtimeMs} ${info.ctimeMs} ${info.size} ${info.ino}`;
    let known = this.#known.get(path);
    if (known?.stamp !== stamp) {
      const instruction = await readInstruction(path, info.size, within).catch((error: Error) => error);
      known = { stamp, instruction };
      this.#known.set(path, known);
    }
    if (known.instruction instanceof Error) throw known.instruction;
    return known.instruction;
  }
}

async function readInstruction(path: string, bytes: number, within: string | undefined): Promise<Instruction> {
  if (within !== undefined) {
    if (!isBelow(await realpath(within), await realpath(path)))
      throw new Error('it is a link that leads out of the project, and is not read');
  }
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_INSTRUCTION_BYTES), 0, MAX_INSTRUCTION_BYTES, 0);
    const isCut = bytes > MAX_INSTRUCTION_BYTES;
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead)).replaceAll('\r\n', '\n');
    return { path, text: (isCut ? wholeLines(text) : text).trim(), bytes, isCut };
  } finally {
    await file.close();
  }
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > 0 ? text.slice(0, end) : text.replace(/\uFFFD$/, '');
}
