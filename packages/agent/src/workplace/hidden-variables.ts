/** What every program needs to run; a configuration that refers to it makes no secret of it. */
const NEEDED =
  /^(?:PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|COMSPEC|LANG|LC_\w+|TZ|TERM|PWD|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|XDG_\w+)$/i;

/** Of the variables that the configuration refers to, those that no command is handed. */
export function hiddenVariables(referred: readonly string[]): string[] {
  return referred.filter((name) => !NEEDED.test(name));
}
