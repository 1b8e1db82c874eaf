import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVectorFile, writeVectorFile } from '../../packages/context/src/index/vectors/vector-file.ts';
import { readOrStop, stop } from '../stop.ts';

const SHIPPED = join(import.meta.dirname, '../../packages/context/vectors.bin');

// npm run vectors:pack -- MODEL [OUT]: makes the one file that the engine reads out of what training left.
const [model, out = SHIPPED] = process.argv.slice(2);
if (model === undefined) stop('npm run vectors:pack -- MODEL [OUT]');
const [words, table, scales] = readOrStop(model, () => [
  readFileSync(join(model, 'words.txt'), 'utf8').split('\n'),
  readFileSync(join(model, 'table.i8')),
  readFileSync(join(model, 'scales.f32')),
]);
const rows = words.length;
if (scales.length !== rows * 8)
  stop(
    `${model}/scales.f32 has ${scales.length} bytes; ${rows} words need ${rows * 8}: words and scales are of two trainings`,
  );
if (table.length === 0 || table.length % rows !== 0)
  stop(`${model}/table.i8 has ${table.length} bytes, which is no whole number for each of ${rows} words`);
const numbers = new Float32Array(new Uint8Array(scales).buffer);
if (!numbers.every(Number.isFinite)) stop(`${model}/scales.f32 holds numbers that are none: the training failed`);
const bytes = readOrStop(model, () =>
  writeVectorFile({
    words,
    dimensions: table.length / rows,
    table: new Int8Array(table.buffer, table.byteOffset, table.length),
    askScales: numbers.subarray(0, rows),
    sayScales: numbers.subarray(rows),
  }),
);
const { dimensions } = readVectorFile(bytes);
writeFileSync(out, bytes);
process.stdout.write(`${out}: ${rows} words of ${dimensions} numbers, ${bytes.length} bytes\n`);
