import type { OutputKeeper } from './output-keeper.ts';
import { type ShellExit, type ShellStart, startShell } from './shell-process.ts';

/** How a command is watched while it runs. */
export interface RunOptions {
  timeoutMs: number;
  abort: AbortSignal;
  /** How long the processes have to end after they were asked to. */
  graceMs: number;
  /** Is shown the end of what was printed, now and then. */
  onPreview(preview: string): void;
}

/** What became of a command. */
export interface CommandEnd extends ShellExit {
  end: 'exited' | 'timed-out' | 'aborted';
  durationMs: number;
}

/** Screens show this much of a running command, and are told no more often than this. */
export const PREVIEW_CHARS = 30_000;
const PREVIEW_EVERY_MS = 100;

/** Runs a command to its end, its time limit or its being called off. What it printed is in `start.output` in any case. */
export async function runCommand(start: ShellStart, options: RunOptions): Promise<CommandEnd> {
  if (options.abort.aborted)
    return { end: 'aborted', exitCode: null, signal: null, hasLeftovers: false, durationMs: 0 };
  const startedAt = performance.now();
  const preview = previewNowAndThen(start.output, options.onPreview);
  const shell = await startShell({ ...start, onOutput: preview.changed });
  let end: CommandEnd['end'] = 'exited';
  let stopping: Promise<void> | undefined;
  const stop = (reason: CommandEnd['end']) => {
    if (stopping !== undefined) return;
    end = reason;
    stopping = shell.stop(options.graceMs);
  };
  const onAbort = () => stop('aborted');
  const timer = setTimeout(() => stop('timed-out'), options.timeoutMs);
  options.abort.addEventListener('abort', onAbort, { once: true });
  if (options.abort.aborted) onAbort();
  try {
    const exit = await shell.exited;
    await stopping;
    return { ...exit, end, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    clearTimeout(timer);
    options.abort.removeEventListener('abort', onAbort);
    preview.end();
  }
}

function previewNowAndThen(output: OutputKeeper, show: (preview: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  const fire = () => {
    timer = undefined;
    show(output.preview(PREVIEW_CHARS));
  };
  return {
    changed: () => void (timer ??= setTimeout(fire, PREVIEW_EVERY_MS)),
    end: () => clearTimeout(timer),
  };
}
