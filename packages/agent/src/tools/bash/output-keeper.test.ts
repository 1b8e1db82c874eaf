import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OutputKeeper } from './output-keeper.ts';

const limits = { maxBytes: 100, maxLines: 10, maxFileBytes: 1000 };

function keeper(more: Partial<typeof limits> = {}, folder = tempFolder()) {
  return new OutputKeeper({ folder, name: 'out', limits: { ...limits, ...more } });
}

test('a short output is kept whole, without a file [FR-32]', async () => {
  const output = keeper();
  output.add(Buffer.from('one\n'));
  output.add(Buffer.from('two\n'));
  await output.close();

  expect(output.text()).toBe('one\ntwo\n');
  expect(output.isLong).toBe(false);
  expect(output.file).toBeUndefined();
});

test('of a long output both ends are shown, and the line between names the file with everything [FR-32]', async () => {
  const folder = join(tempFolder(), 'made', 'when needed');
  const output = keeper({ maxLines: 1000 }, folder);
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`);
  for (const line of lines) output.add(Buffer.from(line));
  await output.close();

  expect(output.text().split('\n')).toEqual([
    'line 0',
    'line 1',
    'line 2',
    '',
    `[… the output has 470 bytes and 60 lines; what stood here was left out, and all of it is in ${output.file}, to be searched with grep or read in parts …]`,
    '',
    ...lines.slice(-10).map((line) => line.trimEnd()),
    '',
  ]);
  expect(readFileSync(output.file!, 'utf8')).toBe(lines.join(''));
  expect(statSync(output.file!).mode & 0o777).toBe(0o600);
});

test('an output of many short lines is long too [FR-32]', async () => {
  const output = keeper({ maxBytes: 10_000 });
  output.add(Buffer.from('x\n'.repeat(50)));
  await output.close();

  const shown = output.text().split('\n');
  expect(shown.filter((line) => line === 'x').length).toBeLessThanOrEqual(10);
  expect(readFileSync(output.file!, 'utf8')).toBe('x\n'.repeat(50));
});

test('an output without end fills neither memory nor disk [FR-32]', async () => {
  const output = keeper();
  for (let count = 0; count < 1000; count++) output.add(Buffer.from(`${'y'.repeat(99)}\n`));
  await output.close();

  expect(statSync(output.file!).size).toBe(1000);
  expect(output.totalBytes).toBe(100_000);
  expect(output.text().length).toBeLessThan(500);
  expect(output.text()).toContain('its first 1000 bytes are in');
});

test('an output whose file cannot be written is still shown, and says so [FR-32]', async () => {
  const folder = tempFolder();
  const output = new OutputKeeper({ folder, name: 'no/such/folder', limits });
  output.add(Buffer.from('z\n'.repeat(200)));
  await output.close();

  expect(output.file).toBeUndefined();
  expect(output.text()).toContain('could not be kept: ENOENT');
  expect(output.text().endsWith('z\n')).toBe(true);
});

test('a folder that cannot be made costs the file, not the output [FR-32]', async () => {
  const blocked = join(tempFolder(), 'file');
  writeFileSync(blocked, '');
  const output = new OutputKeeper({ folder: join(blocked, 'below'), name: 'out', limits });
  output.add(Buffer.from('z\n'.repeat(200)));
  await output.close();

  expect(output.text()).toContain('could not be kept');
});

test('what came since a place is told once and completely, or what is missing is counted [FR-32]', async () => {
  const pieces = fc.array(fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom('a', 'b', '\n') }), {
    maxLength: 20,
  });

  await fc.assert(
    fc.asyncProperty(pieces, async (texts) => {
      const output = keeper({ maxFileBytes: 10_000 });
      let read = 0;
      let seen = '';
      for (const [index, text] of texts.entries()) {
        output.add(Buffer.from(text));
        if (index % 3 !== 0) continue;
        const { text: news, missedBytes } = output.since(read);
        seen += '?'.repeat(missedBytes) + news;
        read = output.totalBytes;
      }
      await output.close();
      const all = texts.join('').slice(0, seen.length);
      expect(seen.split('').every((char, at) => char === '?' || char === all[at])).toBe(true);
      expect(seen.length).toBe(read);
    }),
    { seed: 9, numRuns: 60 },
  );
});

test('a preview is the end, and no longer than was asked for [FR-32]', async () => {
  const output = keeper();
  output.add(Buffer.from('start '.repeat(100)));
  output.add(Buffer.from('end'));
  await output.close();

  expect(output.preview(9)).toBe('start end');
});
