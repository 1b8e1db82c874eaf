import type { Bubblewrap } from './find-bubblewrap.ts';
import { type Strictness, systemCallFilterPath } from './system-call-filter.ts';

/**
 * The command line that starts bubblewrap with its system call filter.
 *
 * The filter has to be an open file of bubblewrap's own, so a shell opens it and becomes bubblewrap. What comes `before` is
 * done by that shell, and nothing starts if it fails.
 */
export function bubblewrapCommand(
  { path }: Bubblewrap,
  { strictness, before = ':' }: { strictness: Strictness; before?: string },
  rest: readonly string[],
): string[] {
  const filter = systemCallFilterPath(strictness);
  if (filter === undefined) return ['/bin/sh', '-c', `${before} && exec "$0" "$@"`, path, ...rest];
  return ['/bin/sh', '-c', `${before} && exec 9<"$0" "$@"`, filter, path, '--seccomp', '9', ...rest];
}

/** What every sandbox has: no rights, no way to more of them, no terminal of ours, and an end when we end. */
export function withoutRights({ canDisableNamespaces }: Bubblewrap): string[] {
  return canDisableNamespaces ? [...WITHOUT_RIGHTS, '--disable-userns'] : WITHOUT_RIGHTS;
}

const WITHOUT_RIGHTS = ['--unshare-user', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
