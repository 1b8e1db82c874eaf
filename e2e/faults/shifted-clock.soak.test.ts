import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isSoak, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { countingHome, startCounting } from '../counting-home.fixture.ts';
import { serveHub, viewUntil } from '../hub.fixture.ts';
import { counted, upTo, wholeView } from '../two-hubs.fixture.ts';

const HOUR_MS = 3_600_000;
const BLOCKS = isSoak() ? 2_500 : 200;
const RUNS = isSoak() ? 2 : 1;
/** By how much the clock is off, one after the other. */
const SHIFTS_MS = [24 * HOUR_MS, -24 * HOUR_MS, HOUR_MS, -HOUR_MS, 0];

/** Loaded into every process of the server: its clock is off by what a file says. */
const shifting = (file: string) => `
import { readFileSync } from 'node:fs';
const RealDate = Date;
const shift = () => Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift());
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift();
  }
};
`;

test('a clock that jumps by an hour or a day, forth and back, loses nothing and no machine', async () => {
  const folder = tempFolder();
  const [file, preload] = [join(folder, 'shift'), join(folder, 'shift.mjs')];
  writeFileSync(file, '0');
  writeFileSync(preload, shifting(file));
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` };
  const { owner } = await serveHub(undefined, { home: countingHome(), env });

  for (let run = 0; run < RUNS; run++) {
    // It asks at the end, so that it is at work while the clock jumps.
    const sessionId = await startCounting(owner, { blocks: BLOCKS, everyMs: 1, askBefore: [BLOCKS] });
    for (const [index, shift] of SHIFTS_MS.entries()) {
      const part = Math.floor((BLOCKS / (SHIFTS_MS.length + 1)) * (index + 1));
      await viewUntil(owner, sessionId, (view) => counted(view).length >= part);
      writeFileSync(file, String(shift));
      expect((await owner.listRunners()).runners.map(({ isConnected }) => isConnected)).toEqual([true]);
    }
    const { approvals } = await viewUntil(owner, sessionId, (view) => view.approvals.length > 0);
    await owner.decideApproval({ sessionId, approvalId: approvals[0]!.id, optionId: 'a' });

    const view = await viewUntil(owner, sessionId, ({ turn }) => turn?.reason !== undefined);
    expect([view.turn!.reason, counted(view)]).toEqual(['done', upTo(BLOCKS)]);
    expect(await wholeView(owner, sessionId)).toEqual(view);
  }
});
