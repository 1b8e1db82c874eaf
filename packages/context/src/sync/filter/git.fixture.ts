import { spawnSync } from 'node:child_process';

/** What git itself says. The rules of whoever runs the tests stay out of it. */
export function git(folder: string, args: readonly string[], input = ''): string {
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', args, { cwd: folder, input, encoding: 'utf8', env }).stdout;
}
