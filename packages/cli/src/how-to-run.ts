import { cleanPath } from './terminal/clean-text.ts';

/** A command as this user has to type it: from a checkout it goes through npm. */
export function howToRun(command: string, env: NodeJS.ProcessEnv = process.env): string {
  return env['npm_lifecycle_event'] === undefined ? `dragoman ${command}` : `npm run -s dragoman -- ${command}`;
}

/** A path as it has to be typed, in quotes where a shell would take it apart. */
export function typedPath(path: string): string {
  const shown = cleanPath(path);
  return /^[\p{L}\p{N}_./:@%+,\\-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
