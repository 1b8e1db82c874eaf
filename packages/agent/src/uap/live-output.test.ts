import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LiveOutput } from './live-output.ts';

const shown = (...windows: string[]) => {
  const live = new LiveOutput();
  return windows.map((window) => live.push(window));
};

test('output that grows is shown by what it adds', () => {
  expect(shown('a\n', 'a\n', 'a\nb\n', 'a\nb\nc')).toEqual(['a\n', '', 'b\n', 'c']);
});

test('a line that was written over comes again below', () => {
  expect(shown('build\n10 %', 'build\n20 %', 'build\ndone\n')).toEqual(['build\n10 %', '\n20 %', '\ndone\n']);
  expect(shown('10 %', '20 %')).toEqual(['10 %', '\n20 %']);
});

test('output that has nothing to do with what was shown is told apart from it', () => {
  expect(shown('a\nb\n', 'x\ny\n')).toEqual(['a\nb\n', '\n…\nx\ny\n']);
});

test('more than anybody reads while it runs is left for the end', () => {
  const live = new LiveOutput();
  const pieces = Array.from({ length: 30 }, (_, at) => live.push(`${at}`.padStart(10_000, 'x')));

  expect(pieces.filter((piece) => piece === '\n[The rest is shown when it finishes.]')).toHaveLength(1);
  expect(pieces.at(-1)).toBe('');
  expect(pieces.join('').length).toBeLessThan(101_000);
});

test('a window that moves over the output shows all of it once, however often it is looked at', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 }), (growth) => {
      const live = new LiveOutput();
      let [output, seen, line] = ['', '', 0];
      for (const lines of growth) {
        for (let more = 0; more < lines; more++) output += `line ${line++} of many\n`;
        seen += live.push(output.slice(-600));
      }
      expect(seen).toBe(output);
    }),
    { seed: 3, numRuns: 300 },
  );
});
