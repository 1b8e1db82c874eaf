import { isSoak } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { drawFaults, type Fault } from './many-servers/faults.fixture.ts';
import { runTrial } from './many-servers/run-trial.fixture.ts';

const SEED = Date.now() % 1_000_000;
/** In the short form: what most depends on, and what readers hang on. */
const SERVER_AND_DATABASE: readonly Fault[] = [
  { kind: 'server', name: 'b', awayMs: 0 },
  { kind: 'database', awayMs: 2_000 },
];
const TRIAL = isSoak()
  ? { sessions: 200, readers: 100, callers: 8, uploaders: 2, faults: drawFaults(SEED, 100, 8_000), everyMs: 10_000 }
  : { sessions: 20, readers: 10, callers: 2, uploaders: 1, faults: SERVER_AND_DATABASE, everyMs: 0 };
/** How long something takes is not asked of an ordinary run, whose machine has more to do. */
const MOST_WITHOUT_STREAM_MS = isSoak() ? 5_000 : Infinity;

test(
  'whatever is killed or cut, of three servers behind a proxy, two runners and the database, every reader gets on again and everything that was acknowledged is there exactly once [UAP-02, UAP-03]',
  { timeout: isSoak() ? 7_200_000 : 600_000 },
  async () => {
    const tell = isSoak() ? (line: string) => console.log(line) : () => {};
    tell(`seed ${SEED}`);
    const kept = await runTrial({ ...TRIAL, tell });
    expect(kept.prompts).toBe(TRIAL.sessions * TRIAL.faults.length);
    expect(kept.gaps.server ?? 0).toBeLessThanOrEqual(MOST_WITHOUT_STREAM_MS);
  },
);
