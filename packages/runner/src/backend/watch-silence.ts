import { DragomanError } from '@dragoman/protocol';

/**
 * Ends an agent that says nothing in the middle of a turn, for longer than it may. The time in which people are asked
 * something does not count. The function given back ends the watch.
 */
export function watchSilence(
  { title, silenceMs }: { title: string; silenceMs: number },
  link: { readonly heardAt: number; stop(): Promise<void> },
  approvals: { readonly size: number },
  onSilent: (error: DragomanError) => void,
): () => void {
  const startedAt = Date.now();
  let timer = setTimeout(look, silenceMs).unref();

  function look(): void {
    const quietMs = approvals.size > 0 ? 0 : Date.now() - Math.max(startedAt, link.heardAt);
    if (quietMs < silenceMs) {
      timer = setTimeout(look, silenceMs - quietMs).unref();
      return;
    }
    const minutes = Math.round(quietMs / 6_000) / 10;
    onSilent(
      new DragomanError(
        'timed-out',
        `${title} said nothing for ${minutes} minutes, so it was ended; try the prompt again`,
      ),
    );
    void link.stop();
  }

  return () => clearTimeout(timer);
}
