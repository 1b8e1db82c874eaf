import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { boundOutput } from './bound-output.ts';

const numbered = (count: number, width = 0) =>
  Array.from({ length: count }, (_, index) => `line ${index}`.padEnd(width, '.')).join('\n');

test('an output that is short enough is left alone, and nothing is written', () => {
  const folder = join(tempFolder(), 'outputs');
  for (const output of ['', 'short', numbered(2_000), 'é'.repeat(25_000)])
    expect(boundOutput(output, { folder, name: 'prt_1' })).toEqual({ output });
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
});

test('of too many lines the head is shown, or the tail, and all of them are in a file of the user’s alone', () => {
  const folder = join(tempFolder(), 'outputs');
  const output = numbered(2_500);
  const head = boundOutput(output, { folder, name: 'prt_1' });
  const tail = boundOutput(output, { folder, name: 'prt/../2', keeps: 'tail' });

  const lines = output.split('\n');
  const note = (file: string) =>
    `[500 of 2500 lines are not shown. The whole output is in ${file}; read it with offset and limit, or search it with grep.]`;
  expect(head).toEqual({
    output: `${lines.slice(0, 2_000).join('\n')}\n\n${note(join(folder, 'prt_1.txt'))}`,
    outputFile: join(folder, 'prt_1.txt'),
  });
  expect(tail).toEqual({
    output: `${note(join(folder, 'prt_.._2.txt'))}\n\n${lines.slice(-2_000).join('\n')}`,
    outputFile: join(folder, 'prt_.._2.txt'),
  });
  expect(readFileSync(head.outputFile!, 'utf8')).toBe(output);
  expect(statSync(head.outputFile!).mode & 0o777).toBe(0o600);
});

test('lines that are too long together are cut by bytes, at whole lines', () => {
  const { output } = boundOutput(numbered(100, 1_000), { folder: tempFolder(), name: 'x' });
  expect(output.split('\n').slice(0, 52).at(-3)).toMatch(/^line 49\.+$/);
  expect(output).toMatch(/^\[49 of 100 lines are not shown\./m);
});

test('one line that is longer than everything is cut inside, between characters', () => {
  const long = `begin${'漢'.repeat(40_000)}end`;
  const head = boundOutput(long, { folder: tempFolder(), name: 'x' }).output;
  const tail = boundOutput(`first\n${long}`, { folder: tempFolder(), name: 'x', keeps: 'tail' }).output;

  expect(head).toMatch(/^begin漢+\n\n\[The first line is cut; 0 of 1 lines are not shown\./);
  expect(tail).toMatch(/^\[The last line is cut; 1 of 2 lines are not shown\.[^\n]*\]\n\n漢+end$/);
  expect(Buffer.byteLength(head)).toBeLessThan(52_000);
});

test('where the whole output cannot be kept, what can be shown is shown all the same', () => {
  const file = join(tempFolder(), 'a-file');
  writeFileSync(file, '');
  const { output, outputFile } = boundOutput(numbered(2_500), { folder: join(file, 'outputs'), name: 'x' });

  expect(outputFile).toBeUndefined();
  expect(output).toMatch(/^line 0\n/);
  expect(output).toMatch(/\[500 of 2500 lines are not shown\. They could not be kept: ENOTDIR[^\n]*\]$/);
});
