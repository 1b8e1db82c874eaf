/** A command as this user has to type it: from a checkout it goes through npm. */
export function howToRun(command: string, env: NodeJS.ProcessEnv = process.env): string {
  return env['npm_lifecycle_event'] === undefined ? `dragoman ${command}` : `npm run -s dragoman -- ${command}`;
}
