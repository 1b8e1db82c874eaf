import { ConfigInvalidError, formatSetting } from './config-problem.ts';
import type { RefusedChange } from './fit-changes.ts';

/** Says which of the settings that servers share are not in force on this one, and why; nothing where all are. */
export function describeHeldBack(heldBack: readonly RefusedChange[]): string | undefined {
  if (heldBack.length === 0) return undefined;
  const reasons = heldBack.flatMap(({ change, error }) => {
    const setting = formatSetting(change.path);
    if (!(error instanceof ConfigInvalidError)) return [`${setting}: ${(error as Error).message}`];
    return error.problems.map((problem) => {
      const isElsewhere = !problem.setting.startsWith(setting);
      return `${isElsewhere ? `${setting}: ` : ''}${problem.setting}: ${problem.message}`;
    });
  });
  return [
    'Not all settings that the servers share can be in force on this one. It keeps what it had in place of:',
    ...new Set(reasons.map((reason) => `  ${reason}`)),
  ].join('\n');
}
