import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why a program does not start, in one line; nothing when it does, or when it takes longer than anybody waits to tell. */
export type StartVerdict = string | undefined;

/** Starts a program in a folder that is empty and goes away. */
export type StartAttempt = (cwd: string) => Promise<StartVerdict>;

/** A program that was mended by other means than a new file is found out soon. */
const BAD_KEPT_MS = 15_000;
const GOOD_KEPT_MS = 10 * 60_000;
/** Lists of agents are waited for by people. What takes longer is told with the next list. */
const PATIENCE_MS = 1_500;
/** At a time: agents are large programs. */
const MOST_TRIED = 2;

const verdicts = new Map<string, { stamp: string; verdict: Promise<StartVerdict>; until: number }>();
const waiting: (() => void)[] = [];
let tried = 0;

/** Tries once whether the program at a place starts, and remembers it until the file changes or some time has passed. */
export async function startVerdict(
  place: string,
  how: readonly string[],
  attempt: StartAttempt,
  patienceMs: number = PATIENCE_MS,
): Promise<StartVerdict> {
  const key = JSON.stringify([place, ...how]);
  const stamp = stampOf(place);
  let known = verdicts.get(key);
  if (known === undefined || known.stamp !== stamp || known.until < Date.now()) {
    const entry = { stamp, verdict: inTurn(attempt), until: Number.POSITIVE_INFINITY };
    entry.verdict = entry.verdict.then((verdict) => {
      entry.until = Date.now() + (verdict === undefined ? GOOD_KEPT_MS : BAD_KEPT_MS);
      return verdict;
    });
    verdicts.set(key, (known = entry));
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  try {
    return await Promise.race([known.verdict, patience]);
  } finally {
    clearTimeout(timer);
  }
}

async function inTurn(attempt: StartAttempt): Promise<StartVerdict> {
  if (tried >= MOST_TRIED) await new Promise<void>((resolve) => waiting.push(resolve));
  else tried += 1;
  let cwd: string | undefined;
  try {
    cwd = mkdtempSync(join(tmpdir(), 'dragoman-start-'));
    return await attempt(cwd);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (cwd !== undefined) rmSync(cwd, { recursive: true, force: true });
    const next = waiting.shift();
    if (next === undefined) tried -= 1;
    else next();
  }
}

function stampOf(place: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(place);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return '';
  }
}
