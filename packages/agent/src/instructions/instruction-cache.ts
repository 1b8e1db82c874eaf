import { statSync } from 'node:fs';
import { readProjectFile, realInProject } from '@dragoman/server/files';

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
  instruction: Instruction | Error | undefined;
}

/** Instruction files as they were last read. One that did not change since is not read again. */
export class InstructionCache {
  readonly #known = new Map<string, Known>();

  /**
   * What the file says now, or nothing where there is none. With `project`, a file that leads out of that folder or is made
   * to hold secrets is an error: a project must not be able to put other files of the person's into a prompt.
   */
  read(path: string, project?: string): Instruction | undefined {
    const real = realInProject(path, project);
    const info = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
    if (info === undefined || info.isDirectory()) {
      this.#known.delete(path);
      return undefined;
    }
    const stamp = `${real} ${info.mtimeMs} ${info.ctimeMs} ${info.size} ${info.dev} ${info.ino}`;
    let known = this.#known.get(path);
    if (known?.stamp !== stamp) {
      known = { stamp, instruction: readInstruction(path, project) };
      this.#known.set(path, known);
    }
    if (known.instruction instanceof Error) throw known.instruction;
    return known.instruction;
  }
}

function readInstruction(path: string, project: string | undefined): Instruction | Error | undefined {
  try {
    const file = readProjectFile(path, { project, maxBytes: MAX_INSTRUCTION_BYTES, isBeginningEnough: true });
    if (file === undefined) return undefined;
    const { size } = file.stats;
    const isCut = size > MAX_INSTRUCTION_BYTES;
    const text = new TextDecoder().decode(file.bytes).replaceAll('\r\n', '\n');
    return { path, text: (isCut ? wholeLines(text) : text).trim(), bytes: size, isCut };
  } catch (error) {
    return error as Error;
  }
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > 0 ? text.slice(0, end) : text.replace(/\uFFFD$/, '');
}
