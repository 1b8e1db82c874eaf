import { searchPathOutside } from '../process/search-path.ts';

/** A setting of git, such as `core.quotePath` and `false`. */
export type GitSetting = readonly [key: string, value: string];

/** How git is started, beside its arguments. */
export interface GitEnvironmentOptions {
  /** Where it works. No program is looked for in the project around it. */
  folder: string;
  settings?: readonly GitSetting[];
  /** A person wants it as in their own terminal: hooks of the repository run, and may use the network. */
  runsHooks?: boolean;
}

/** Where the user's own configuration is, and git itself. */
const KEPT: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
]);

/** In place of a program: it cannot be run, and is not looked for in the search path, where a project may have its own. */
export const NO_PROGRAM = '/dev/null';

/** Nobody is there to read, to write or to answer. Git knows these words, and runs nothing for them. */
const NOBODY_THERE = { GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

/** A folder with the files of a git directory, which anybody can commit, is no repository. */
export const NO_BARE_REPOSITORY: GitSetting = ['safe.bareRepository', 'explicit'];

/** Whoever asks, no monitor of the repository's own runs. */
const ALWAYS: readonly GitSetting[] = [['core.fsmonitor', 'false'], NO_BARE_REPOSITORY, ['submodule.recurse', 'false']];

/**
 * Of everything with a fixed name that runs a program, the harmless value. Submodules have settings of their own, which
 * nobody looked at, so git does not look into them. Signatures are not checked: gpg writes to the home folder, and may fetch keys.
 */
const NO_PROGRAMS: readonly GitSetting[] = [
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['core.sshCommand', NO_PROGRAM],
  ['core.alternateRefsCommand', NO_PROGRAM],
  ['credential.helper', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.submodule', 'short'],
  ['gc.auto', '0'],
  ['gpg.program', NO_PROGRAM],
  ['gpg.ssh.program', NO_PROGRAM],
  ['gpg.x509.program', NO_PROGRAM],
  ['log.showSignature', 'false'],
  ['maintenance.auto', 'false'],
  ['status.submoduleSummary', 'false'],
];

/**
 * Variables with which git runs nothing that a repository configures under a fixed name, fetches nothing and asks nobody.
 * `settings` takes back the rest; see `withoutOwnPrograms`.
 *
 * Settings travel as variables and not as `-c`: they reach every git that is started further down, and `-c` cannot say a
 * name with `=` in it.
 */
export function gitGuard(settings: readonly GitSetting[] = []): Record<string, string> {
  return {
    ...NOBODY_THERE,
    GIT_ASKPASS: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...withGitSettings({}, [...ALWAYS, ...NO_PROGRAMS, ...settings]),
  };
}

/** An environment without what points git at another repository, or tells it what to run. */
export function withoutGitVariables(from: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && (!/^GIT_/i.test(name) || KEPT.has(name))) environment[name] = value;
  return environment;
}

/**
 * The whole environment of a git that we start ourselves: nothing that points it at another repository, nothing of ours,
 * messages in English, because they are read, and settings that stand above those of the repository.
 */
export function gitEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  { folder, settings = [], runsHooks = false }: GitEnvironmentOptions,
): Record<string, string> {
  const environment = withoutGitVariables(from);
  for (const name of Object.keys(environment)) if (/^DRAGOMAN_/i.test(name)) delete environment[name];
  if (environment['PATH'] !== undefined) environment['PATH'] = searchPathOutside(environment['PATH'], folder);
  const guard = runsHooks ? { ...NOBODY_THERE, ...withGitSettings({}, [...ALWAYS, ...settings]) } : gitGuard(settings);
  return { ...environment, LC_ALL: 'C.UTF-8', ...guard };
}

/** The same environment with settings for git, behind those that it brings along. */
export function withGitSettings(
  from: Readonly<Record<string, string>>,
  settings: readonly GitSetting[],
): Record<string, string> {
  const first = Number(from['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const environment: Record<string, string> = { ...from, GIT_CONFIG_COUNT: String(first + settings.length) };
  for (const [at, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${first + at}`] = key;
    environment[`GIT_CONFIG_VALUE_${first + at}`] = value;
  }
  return environment;
}
