import { statSync } from 'node:fs';

const MOST_KIB = 2 * 1024 * 1024;

/**
 * A command with a limit to its memory, where the system has one. Programs that search read ignore files whole, and one that is
 * a link to a device has no end.
 */
export function withMemoryLimit(program: string, args: readonly string[]): [command: string, args: readonly string[]] {
  if (process.platform !== 'linux' || statSync(program, { throwIfNoEntry: false }) === undefined)
    return [program, args];
  return ['/bin/sh', ['-c', `ulimit -v ${MOST_KIB}; exec "$0" "$@"`, program, ...args]];
}
