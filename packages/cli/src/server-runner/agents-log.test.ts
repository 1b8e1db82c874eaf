import { closeSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { agentsLogFile, boundAgentsLog, openAgentsLog } from './agents-log.ts';

test('what the last process wrote stays until the log is long, and then once more', () => {
  const folder = tempFolder();
  const file = agentsLogFile(folder);
  const write = (text: string) => {
    const log = openAgentsLog(file, 10);
    writeSync(log, text);
    closeSync(log);
  };

  write('first\n');
  write('second\n');
  expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
  write('third\n');
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual(['third\n', 'first\nsecond\n']);
  write('fourth\n');
  write('fifth\n');
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual(['fifth\n', 'third\nfourth\n']);
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a process that writes for long begins its log anew', () => {
  const file = agentsLogFile(tempFolder());
  const log = openAgentsLog(file, 10);
  writeSync(log, 'much to tell\n');
  boundAgentsLog(file, 10);
  writeSync(log, 'more\n');
  boundAgentsLog(file, 10);
  closeSync(log);

  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual(['more\n', 'much to tell\n']);
});
