import { describe, expect, test } from 'vitest';
import { parseJsonc, readJsonc } from '../settings/edit-jsonc.ts';
import { mergeSetting } from './merge-setting.ts';
import { putIntoText, SETTING, takeOutOfText, type WrittenNote } from './put-into-text.ts';

const fieldsAt = (port: number) => ({ apiToken: `T${port}`, completionURL: `http://127.0.0.1:${port}/` });

function valueIn(text: string): unknown {
  const found = readJsonc(text, SETTING);
  return found === undefined ? undefined : parseJsonc(found);
}

/** Writes so many addresses one after the other, and takes the last out again. */
function thereAndBack(text: string, times: number): { written: string; after: string | undefined } | undefined {
  let note: WrittenNote | undefined;
  let written = text;
  for (let port = 1; port <= times; port++) {
    const put = putIntoText(written, fieldsAt(port), note, valueIn(written));
    if (put === undefined) return undefined;
    note = { ...mergeSetting(valueIn(written), fieldsAt(port), note).note, ...put.note };
    written = put.text;
  }
  return { written, after: takeOutOfText(written, note!) };
}

describe.each([1, 3])('written %d times and taken out', (times) => {
  test.each([
    '',
    ' ',
    '\n',
    '\r\n',
    '\uFEFF',
    '// mine',
    '// mine\n',
    '/* mine */',
    '// mine\r\n\r\n/* { */',
    '{}',
    '\uFEFF{}',
    '{ // mine\n}',
    '{} // behind',
    '{\n\t"a": 1, // tail\n}\n// the end\n',
    '{"augment.advanced": null, "settingsSync.ignoredSettings": [,]}',
  ])('a settings.json is as it was, to the letter: %j', (text) => {
    const { written, after } = thereAndBack(text, times)!;
    expect([valueIn(written), after]).toEqual([fieldsAt(times), text]);
  });
});

test.each([
  '{"a": 1} trailing',
  '{"a": 1}\n{"b": 2}',
  '{"a": {"b": [}]}',
  '{"a": 1',
  '{"a": 1,,"b": 2}',
  '[1]',
  '/* never closed',
  '// one line for the editor, two for others\r{"a": 1}',
])('what is no settings.json is refused: %j', (text) => {
  const note = { ...mergeSetting(undefined, fieldsAt(1), undefined).note };
  expect([putIntoText(text, fieldsAt(1), undefined, undefined), takeOutOfText(text, note)]).toEqual([
    undefined,
    undefined,
  ]);
});
