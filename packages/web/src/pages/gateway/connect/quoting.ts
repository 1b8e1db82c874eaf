/** A word of a shell's command line, whatever is in it. */
export function inShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text in TOML: its basic strings are written as those of JSON are. */
export function inToml(text: string): string {
  return JSON.stringify(text);
}

/** JSON for people. */
export function pretty(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** A text in a script, in single quotes where it can be. */
export function inScript(text: string): string {
  return /['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`;
}
