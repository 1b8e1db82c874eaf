import { printError } from './terminal/print.ts';

/** What a command tells of its way. The form is the one that the parts of the program log in. */
export interface CommandLog {
  trace(facts: object, message: string): void;
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** Tells what was kept back, but for what the command ends with: that is told as its end. */
  close(endedWith?: unknown): void;
}

/**
 * Troubles on the way, in one line each on standard error. A command that ends tells them at its end, each once, so
 * that they do not run through its progress; one that stays tells them at once.
 */
export function openCommandLog(isStaying: boolean, tell: (line: string) => void = printError): CommandLog {
  const kept = new Map<string, string>();
  const note = (facts: object, message: string) => {
    const { reason, err, path } = facts as { reason?: unknown; err?: unknown; path?: unknown };
    const why = reason ?? (err instanceof Error ? err.message : undefined);
    const about = [path, why].filter((part) => typeof part === 'string').join(': ');
    const line = `dragoman: ${message}${about === '' ? '' : ` (${about})`}`;
    if (isStaying) tell(line);
    else kept.set(line, typeof why === 'string' ? why : '');
  };
  const ignore = () => {};
  return {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: note,
    error: note,
    close(endedWith) {
      const end = endedWith instanceof Error ? endedWith.message : undefined;
      for (const [line, why] of kept) if (why !== end) tell(line);
      kept.clear();
    },
  };
}
