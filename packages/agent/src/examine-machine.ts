import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { findProgram } from '@dragoman/server/base';
import type { BubblewrapPlace } from './sandbox/find-bubblewrap.ts';

/** A program that the agent works with: where it is, or what is wrong and what can be done about it. */
export type ProgramFinding = { path: string } | { problem: string };

/** The programs of this machine that the agent works with. None of them has to be there. */
export interface MachineReport {
  /** Keeps the states of files that can be gone back to. */
  git: ProgramFinding;
  /** Looks through files. */
  ripgrep: ProgramFinding;
  /** Confines scripts of skills, and commands where the configuration says so. It has been tried. */
  sandbox: ProgramFinding;
}

/** Looks for them. Only bubblewrap is started, for a moment: that it is there does not mean that it may do its work. */
export async function examineMachine(place: BubblewrapPlace = {}): Promise<MachineReport> {
  const git = findProgram('git', place.searchPath);
  const [ripgrep, sandbox] = await Promise.all([found(ripgrepPath), found(() => sandboxPath(place))]);
  return {
    git:
      git === undefined
        ? { problem: 'There is no git on PATH. Without it, changes to files cannot be taken back.' }
        : { path: git },
    ripgrep,
    sandbox,
  };
}

async function ripgrepPath(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep');
  await access(rgPath, constants.X_OK);
  return rgPath;
}

async function sandboxPath(place: BubblewrapPlace): Promise<string> {
  const [{ findBubblewrap }, { openSandbox }] = await Promise.all([
    import('./sandbox/find-bubblewrap.ts'),
    import('./sandbox/open-sandbox.ts'),
  ]);
  const { path } = await findBubblewrap(place);
  await openSandbox(place);
  return path;
}

async function found(look: () => Promise<string>): Promise<ProgramFinding> {
  try {
    return { path: await look() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
