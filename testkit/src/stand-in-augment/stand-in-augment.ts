import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeVsix } from '../code-server/write-vsix.ts';

const EXTENSION = fileURLToPath(new URL('extension', import.meta.url));

/** What the stand-in read or was told, in order. */
export interface StandInReport {
  kind: 'activated' | 'changed' | 'asked';
  /** As it uses them: the token in upper case. */
  settings: { apiToken: string; completionURL: string; chatURL?: string };
  /** The same setting, read in each way an extension can. */
  ways?: { property: unknown; dotted: unknown; section: unknown; root: unknown };
  /** The globals it found, written out. */
  globals?: Record<string, string>;
  answers?: Record<string, { status: number; text: string }>;
}

/** The stand-in for the Augment extension, ready to be installed. */
export interface StandInAugment {
  vsix: string;
  /** To be given to the editor. */
  env: Record<string, string>;
  reports(): StandInReport[];
}

/**
 * An extension of ours in the place of Augment's: the same id, the same setting, the same habits as far as they are known.
 *
 * The real one cannot be had in a test. This one reads `augment.advanced` through a listener class, activates when the editor
 * has started, puts the token into upper case, and calls the endpoints that stand for its features: chat, agent, completion and edit.
 */
export async function standInAugment(folder: string): Promise<StandInAugment> {
  const vsix = join(folder, 'stand-in-augment.vsix');
  const file = join(folder, 'stand-in-augment.jsonl');
  await writeVsix(EXTENSION, vsix);
  return {
    vsix,
    env: { STAND_IN_AUGMENT_REPORT: file },
    reports() {
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as StandInReport);
    },
  };
}
