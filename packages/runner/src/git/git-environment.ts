import { agentEnvironment } from '../backend/agent-environment.ts';

/** A setting of git, such as `core.quotePath` and `false`. */
export type GitSetting = readonly [key: string, value: string];

/** Where the user's own configuration is, and git itself. */
const KEPT: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
]);

/**
 * What git finds in its environment: nothing that points it at another repository, nobody to ask for a password, messages
 * in English, because they are read, and settings that stand above those of the repository.
 *
 * Settings travel as variables and not as `-c`, which cannot say a name with `=` in it.
 */
export function gitEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  settings: readonly GitSetting[] = [],
): Record<string, string> {
  const own = Object.entries(agentEnvironment(from)).filter(([name]) => !name.startsWith('GIT_') || KEPT.has(name));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C.UTF-8',
    GIT_EDITOR: 'true',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}
