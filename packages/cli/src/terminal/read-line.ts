import type { TerminalOutput } from './live-region.ts';

/** A terminal that keys are read from. */
interface KeyInput extends NodeJS.ReadableStream {
  isRaw?: boolean;
  setRawMode?(isRaw: boolean): unknown;
}

/** A terminal that a person is asked at. */
export interface LineTerminal {
  input: KeyInput;
  output: TerminalOutput;
  /** Ends the question: it was answered elsewhere, or its time is up. The promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Called on Ctrl-C, which ends more than the question; a terminal that gives out single keys sends no signal itself. */
  onInterrupt?: () => void;
}

const MAX_LINE = 10_000;

/**
 * A line, with the editing a terminal's line has; nothing where the input ended or was interrupted. Lines that are not
 * taken are asked for again, with the hint.
 */
export async function readLine(
  { input, output, signal, onInterrupt }: LineTerminal,
  isTaken: (line: string) => boolean = () => true,
  hint?: string,
): Promise<string | undefined> {
  const [{ createInterface }, { Writable }] = await Promise.all([import('node:readline'), import('node:stream')]);
  const wasRaw = input.isRaw ?? false;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const screen = new Writable({
    write(chunk, _encoding, done) {
      output.write(String(chunk));
      done();
    },
  });
  Object.assign(screen, { columns: output.columns });
  const lines = createInterface({ input, output: screen, terminal: true, prompt: '  ' });
  const onAbort = () => reject(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  lines.on('line', (line) => {
    if (isTaken(line.trim())) resolve(line);
    else {
      if (hint !== undefined) output.write(`  ${hint}\n`);
      lines.prompt();
    }
  });
  lines.on('close', () => resolve(undefined));
  lines.on('SIGINT', () => {
    resolve(undefined);
    (onInterrupt ?? interruptSelf)();
  });
  lines.prompt();
  try {
    return (await promise)?.trim().slice(0, MAX_LINE);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    lines.close();
    input.setRawMode?.(wasRaw);
    input.pause();
  }
}

/** As if the person had pressed Ctrl-C where nobody reads single keys. */
export function interruptSelf(): void {
  process.kill(process.pid, 'SIGINT');
}
