import { DragomanError } from '@dragoman/protocol';
import { printable } from '../files/inside-path.ts';
import type { Repository } from './open-repository.ts';

/**
 * Refuses files that git could not write. It deletes a file before it runs the filter that makes the new one, so where a
 * filter must run and does not, the file would be lost.
 */
export async function refuseFiltered(repository: Repository, paths: readonly string[]): Promise<void> {
  const { stdout } = await repository.write(['config', '-z', '--list']);
  const missing = missingFilters(stdout.toString('utf8'));
  if (missing.size === 0) return;
  // What is in the folder says so, or what is staged.
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

/** The filters that must run and have no program, by what git lists of its settings: of each the last counts. */
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
