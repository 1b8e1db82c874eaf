import { type ChildProcess, spawn } from 'node:child_process';
import { endMarked, MARK_VARIABLE } from './marked-processes.ts';

/**
 * Process groups that must not outlive us.
 *
 * A server started through `npx` is a tree of processes, so its whole group is ended. When we exit, that is done on
 * the way out. When we are killed outright nothing of ours runs any more; a shell that waits at the other end of a
 * pipe notices its end and does it for us. The shell is there only while there is somebody to watch.
 */
const guarded = new Set<string>();
let watcher: ChildProcess | undefined;

/** Ends the group of this process when we end, and what has its mark. The function given back lets go of it. */
export function guardChildGroup(pid: number, mark?: string): () => void {
  return guard(mark === undefined ? String(pid) : `${pid}/${mark}`);
}

/** The same for what is about to be started and has no group yet: between its first step and ours we may be killed. */
export function guardMarked(mark: string): () => void {
  return guard(`/${mark}`);
}

/** One that is guarded is a group, a mark, or both: `12`, `/mark`, `12/mark`. */
function guard(one: string): () => void {
  if (guarded.size === 0) startWatching();
  guarded.add(one);
  tell(`+ ${one}`);
  return () => {
    if (!guarded.delete(one)) return;
    tell(`- ${one}`);
    if (guarded.size === 0) stopWatching();
  };
}

/** Signals a process and everything it started. False when nothing is left of it. */
export function signalChildGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    // Windows has no groups; there the process itself is all that can be reached.
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

function endAll(): void {
  for (const one of guarded) {
    const [pid, mark] = one.split('/');
    if (pid !== '') signalChildGroup(Number(pid), 'SIGKILL');
    if (mark !== undefined) endMarked(mark);
  }
}

const WATCH = `
groups=
while read -r sign group; do
  kept=
  for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
  groups=$kept
  [ "$sign" = + ] && groups="$groups $group"
done
for one in $groups; do kill -s TERM -- "-\${one%%/*}" 2>/dev/null; done
[ -n "$groups" ] && sleep 1
for one in $groups; do
  kill -s KILL -- "-\${one%%/*}" 2>/dev/null
  case $one in */*)
    for file in $(grep -slzxF -- "${MARK_VARIABLE}=\${one#*/}" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      kill -s KILL "\${file%%/*}" 2>/dev/null
    done
  esac
done
exit 0`;

function startWatching(): void {
  process.on('exit', endAll);
  if (process.platform === 'win32') return;
  // In a group of its own, so that Ctrl-C, which ends us, does not end it first.
  watcher = spawn('/bin/sh', ['-c', WATCH], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.on('error', () => {}); // No shell: the way out through `exit` remains.
  watcher.stdin?.on('error', () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void } | null)?.unref?.();
}

function stopWatching(): void {
  process.off('exit', endAll);
  watcher?.stdin?.end();
  watcher = undefined;
}

function tell(line: string): void {
  watcher?.stdin?.write(`${line}\n`);
}
