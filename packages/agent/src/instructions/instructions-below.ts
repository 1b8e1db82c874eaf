import { dirname } from 'node:path';
import { readFolderInstruction } from './find-instructions.ts';
import { foldersDown, isBelow } from './folders-down.ts';
import type { Instruction, InstructionCache } from './instruction-cache.ts';

/**
 * For one session: what applies to a file beyond what every prompt says, that is the instruction files in the folders
 * between the project and the file. Each is told once.
 *
 * `told` holds the files that were told already; it is added to, so that whoever keeps a session can keep it too.
 */
export function instructionsBelow(
  { root, cwd }: { root: string; cwd: string },
  cache: InstructionCache,
  told: Set<string> = new Set(),
): (path: string) => Instruction[] {
  const everywhere = new Set(foldersDown(root, cwd));
  const readOrNothing = (folder: string) => {
    try {
      return readFolderInstruction(folder, cache, root);
    } catch {
      return undefined;
    }
  };
  return (path) => {
    const found: Instruction[] = [];
    // Files beside the project have nothing to say about the work in it.
    if (!isBelow(root, path)) return found;
    for (const folder of foldersDown(root, dirname(path))) {
      if (everywhere.has(folder)) continue;
      const instruction = readOrNothing(folder);
      if (instruction === undefined || told.has(instruction.path)) continue;
      told.add(instruction.path);
      // Who reads the file itself need not be told what is in it.
      if (instruction.path !== path && instruction.text !== '') found.push(instruction);
    }
    return found;
  };
}
