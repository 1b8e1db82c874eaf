import { NO_BARE_REPOSITORY, withGitSettings } from '@dragoman/server/base';

/** Names of ours: tokens, addresses and keys that no command has a use for. */
const OURS = /^DRAGOMAN_/;
/** What npm tells the scripts it starts. When it started us, a command's own npm would take our folder for its own. */
const OF_NPM_SCRIPTS =
  /^(npm_(lifecycle|package)_.+|npm_(command|execpath|node_execpath|config_local_prefix)|INIT_CWD)$/;

/** Nobody is there to page, to answer or to see colours. */
const NON_INTERACTIVE: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  CLICOLOR: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // A merge takes the message it proposes; a commit without one fails instead of waiting.
  GIT_EDITOR: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};

/** What `commandEnvironment` starts from, and what it leaves out or adds. */
export interface EnvironmentOptions {
  inherited: Readonly<Record<string, string | undefined>>;
  /** Variables that hold secrets of ours, such as the keys that the configuration refers to. */
  hidden?: readonly string[];
  added?: Readonly<Record<string, string>>;
}

/**
 * The variables a command is handed: the user's own, without our secrets, and with the hints that nobody watches. Whatever
 * was allowed, nobody meant a repository that somebody committed among the files: git takes it for one only by its name.
 */
export function commandEnvironment({ inherited, hidden = [], added = {} }: EnvironmentOptions): Record<string, string> {
  // With CDPATH `cd src` may lead to another folder than the one beside.
  const left = new Set([...hidden, 'FORCE_COLOR', 'CLICOLOR_FORCE', 'CDPATH']);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited))
    if (value !== undefined && !left.has(name) && !OURS.test(name) && !OF_NPM_SCRIPTS.test(name))
      environment[name] = value;
  return withGitSettings({ ...environment, ...NON_INTERACTIVE, ...added }, [NO_BARE_REPOSITORY]);
}
