import type { SyncProgress } from '@dragoman/context';
import { expect, test } from 'vitest';
import { describeProgress, ProgressLine } from './progress-line.ts';

const NOTHING: SyncProgress = {
  isScanning: true,
  files: 0,
  bytes: 0,
  uploaded: 0,
  uploadedBytes: 0,
  taken: 0,
  remaining: 0,
};

test('before anything is to be indexed, the line says what was looked at', () => {
  expect(describeProgress({ ...NOTHING, files: 12_345, bytes: 67_800_000 }, 1)).toBe(
    'scanning files: 12,345 · 67.8 MB',
  );
});

test('while files are still being found there is no time left to tell', () => {
  const progress = { ...NOTHING, files: 900, taken: 800, remaining: 600, uploaded: 300, uploadedBytes: 5_000_000 };

  expect(describeProgress(progress, 2)).toBe('[====            ] 200 of 800 files so far · 5.0 MB · 2.5 MB/s');
});

test('after that the line tells the time left, and fits a terminal of 80 columns', () => {
  const progress = { ...NOTHING, isScanning: false, files: 30_000, taken: 30_000, uploadedBytes: 250_000_000 };

  expect(describeProgress({ ...progress, remaining: 20_000 }, 10)).toBe(
    '[=====           ] 10,000 of 30,000 files · 250.0 MB · 25.0 MB/s · 20 s left',
  );
  expect(describeProgress({ ...progress, remaining: 29_900 }, 10)).toBe(
    '[                ] 100 of 30,000 files · 250.0 MB · 25.0 MB/s · 50 min left',
  );
  expect(describeProgress({ ...progress, remaining: 0 }, 10)).toBe(
    '[================] 30,000 of 30,000 files · 250.0 MB · 25.0 MB/s · 0 s left',
  );
});

test('a terminal gets one line, cut to its width and wiped at the end; anything else gets nothing', () => {
  const shownOn = (isTTY: boolean) => {
    const written: string[] = [];
    const stream = { isTTY, columns: 20, write: (text: string) => written.push(text) };
    const line = new ProgressLine(stream as unknown as NodeJS.WriteStream);
    line.show({ ...NOTHING, files: 1 });
    line.show({ ...NOTHING, files: 2 }); // Too soon after the one before.
    line.end();
    line.show({ ...NOTHING, files: 3 });
    line.end();
    return written;
  };

  expect(shownOn(true)).toEqual(['\r\u001B[Kscanning files: 1 ·', '\r\u001B[K']);
  expect(shownOn(false)).toEqual([]);
});
