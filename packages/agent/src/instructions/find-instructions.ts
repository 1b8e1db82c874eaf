import { realpathSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { foldersDown, isBelow } from './folders-down.ts';
import { type Instruction, InstructionCache, MAX_INSTRUCTION_BYTES } from './instruction-cache.ts';

/** Where instructions are looked for. */
export interface InstructionPlaces {
  cwd: string;
  root: string;
  home: string;
  /** Further files, from the configuration, as paths or patterns; relative ones start at the project, `~/` is home. */
  files: readonly string[];
}

/** What is wrong with an instruction file, or with where one should be. */
interface InstructionProblem {
  path: string;
  reason: string;
}

/** What agents are told, and what could not be. */
export interface FoundInstructions {
  /** In the order in which they are told. */
  instructions: Instruction[];
  problems: InstructionProblem[];
}

/** In each folder the first of these counts. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];
const MAX_MATCHES = 50;
const GLOB_MS = 5_000;

/**
 * Finds what agents are told about the place they work in: from the project's folder down to the one they work in, then
 * the person's own, then what the configuration names. Each file is told once.
 *
 * With the same cache, a second call reads only what changed since the first.
 */
export async function findInstructions(
  { cwd, root, home, files }: InstructionPlaces,
  cache: InstructionCache = new InstructionCache(),
): Promise<FoundInstructions> {
  const found = new Found();
  const folders = foldersDown(root, cwd);
  for (const folder of folders) found.add(folder, () => readFolderInstruction(folder, cache, folders[0]!));
  const own = [join(home, '.config', 'dragoman', 'AGENTS.md'), join(home, '.claude', 'CLAUDE.md')];
  found.add(home, () => readFirst(own, cache));
  for (const pattern of files) {
    const paths = await expand(
      pattern.replace(/^~(?=[/\\])/, () => home),
      root,
    );
    if (paths.length === 0) found.problems.push({ path: pattern, reason: 'no file fits it' });
    if (paths.length > MAX_MATCHES)
      found.problems.push({ path: pattern, reason: `more than ${MAX_MATCHES} files fit it; the others are left out` });
    for (const path of paths.slice(0, MAX_MATCHES))
      if (!found.add(path, () => readFirst([path], cache, isBelow(root, path) ? root : undefined)))
        found.problems.push({ path, reason: 'there is no such file' });
  }
  return { instructions: found.instructions, problems: found.problems };
}

/** The instruction file of a folder, if it has one. */
export function readFolderInstruction(
  folder: string,
  cache: InstructionCache,
  project: string,
): Instruction | undefined {
  return readFirst(
    NAMES.map((name) => join(folder, name)),
    cache,
    project,
  );
}

function readFirst(paths: readonly string[], cache: InstructionCache, project?: string): Instruction | undefined {
  for (const path of paths) {
    try {
      const instruction = cache.read(path, project);
      if (instruction !== undefined) return instruction;
    } catch (error) {
      throw new UnreadableInstruction(path, error as Error);
    }
  }
  return undefined;
}

class UnreadableInstruction extends Error {
  readonly path: string;

  constructor(path: string, cause: Error) {
    super(cause.message, { cause });
    this.path = path;
  }
}

/** What was found so far, each file once under whichever of its names came first. */
class Found {
  readonly instructions: Instruction[] = [];
  readonly problems: InstructionProblem[] = [];
  readonly #real = new Set<string>();

  /** Whether there was a file, of use or not. */
  add(place: string, read: () => Instruction | undefined): boolean {
    try {
      const instruction = read();
      if (instruction === undefined) return false;
      const real = realpathSync.native(instruction.path);
      if (this.#real.has(real)) return true;
      this.#real.add(real);
      if (instruction.isCut) this.problems.push({ path: instruction.path, reason: cutReason(instruction) });
      if (instruction.text !== '') this.instructions.push(instruction);
    } catch (error) {
      const path = error instanceof UnreadableInstruction ? error.path : place;
      this.problems.push({ path, reason: (error as Error).message });
    }
    return true;
  }
}

function cutReason({ bytes }: Instruction): string {
  return `it is ${bytes} bytes; only the first ${MAX_INSTRUCTION_BYTES} are used`;
}

/** The files that fit, one more than are used at most, in a fixed order. */
async function expand(pattern: string, root: string): Promise<string[]> {
  if (!/[*?[{]/.test(pattern)) return [resolve(root, pattern)];
  const until = Date.now() + GLOB_MS;
  const found: string[] = [];
  for await (const path of glob(pattern, {
    cwd: root,
    exclude: (name) => /(?:^|[/\\])(?:node_modules|\.git)$/.test(name),
  })) {
    found.push(resolve(root, path));
    if (found.length > MAX_MATCHES || Date.now() > until) break;
  }
  return found.toSorted();
}
