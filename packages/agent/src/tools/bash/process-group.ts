const POLL_MS = 20;
/** After SIGKILL the kernel needs a moment; what is still listed then is only waiting to be reaped. */
const AFTER_KILL_MS = 500;

/** Sends a signal to every process of a group. False when the group is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // Somebody else's process is in it, `sudo` for one: it is there, and out of reach.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Asks a group to end, and ends it after `graceMs`. Resolves when it is gone. */
export async function stopGroup(pid: number, graceMs: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  if (await isGone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await isGone(pid, AFTER_KILL_MS);
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (signalGroup(pid, 0)) {
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
