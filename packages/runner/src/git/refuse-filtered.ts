import { DragomanError } from '@dragoman/protocol';
import { printable } from '../files/inside-path.ts';
import type { Repository } from './open-repository.ts';

/**
 * Refuses files that git could not write. Git deletes a file before it runs the filter that makes the new one; if that
 * filter is required and cannot run, the file is lost.
 */
export async function refuseFiltered(repository: Repository, paths: readonly string[]): Promise<void> {
  const { stdout } = await repository.write(['config', '-z', '--list']);
  const missing = missingFilters(stdout.toString('utf8'));
  if (missing.size === 0) return;
  // Attributes come from the files in the folder, or from what is staged.
  for (const where of [[], ['--cached']]) {
    const asked = ['check-attr', '-z', '--stdin', ...where, 'filter'];
    const told = (await repository.write(asked, { input: paths.join('\0') })).stdout.toString('utf8').split('\0');
    for (let at = 0; at + 2 < told.length; at += 3)
      if (missing.has(told[at + 2]!)) throw needsFilter(told[at]!, told[at + 2]!);
  }
}

/** The refusal of a file whose filter does not run here. */
export function needsFilter(path: string, filter: string, cause?: unknown): DragomanError {
  return new DragomanError(
    'conflict',
    `${printable(path)} needs the filter "${printable(filter)}", which the repository sets and Dragoman does not run; use git on the machine itself`,
    { cause },
  );
}

/** The required filters that have no program, read from the settings that git lists. The last value of a setting counts. */
function missingFilters(listed: string): Set<string> {
  const missing = new Set<string>();
  const settings = new Map(
    listed.split('\0').map((line): [string, string] => {
      const [key, value = 'true'] = line.split(/\n([^]*)/, 2);
      return [key!, value];
    }),
  );
  for (const [key, value] of settings) {
    const [, filter] = /^filter\.([^]*)\.required$/.exec(key) ?? [];
    if (filter === undefined || !/^(?:true|yes|on|[1-9]\d*)$/i.test(value)) continue;
    const programs = ['smudge', 'process'].map((step) => settings.get(`filter.${filter}.${step}`) ?? '');
    if (programs.every((program) => program === '')) missing.add(filter);
  }
  return missing;
}
