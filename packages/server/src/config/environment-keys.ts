/** What every program needs to run; a configuration that refers to it makes no secret of it. */
const NEEDED =
  /^(?:PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|COMSPEC|LANG|LC_\w+|TZ|TERM|PWD|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|XDG_\w+)$/i;

const taken = new Map<string, string>();

/** Of the variables that the configuration refers to, those that no other program is handed. */
export function hiddenVariables(referred: readonly string[]): string[] {
  return referred.filter((name) => !NEEDED.test(name));
}

/** The environment that we were started with, for the configuration. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(taken), ...process.env };
}

/**
 * Takes what the configuration calls a key out of the environment of this process: whatever it starts from now on would
 * inherit it. Who shall have a key is given it by the configuration.
 */
export function takeKeysFromEnvironment(referred: readonly string[]): void {
  for (const name of hiddenVariables(referred)) {
    const value = process.env[name];
    if (value === undefined) continue;
    taken.set(name, value);
    delete process.env[name];
  }
}
