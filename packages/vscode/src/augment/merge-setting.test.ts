import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSame, type MergeNote, mergeSetting, undoMerge } from './merge-setting.ts';

const OURS = { apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/' };

describe('merging', () => {
  test('keeps every other field, nested ones too, and adds ours', () => {
    expect(mergeSetting({ chat: { model: 'x' }, mcpServers: [] }, OURS, undefined)).toEqual({
      value: { chat: { model: 'x' }, mcpServers: [], apiToken: 'OURS', completionURL: 'http://127.0.0.1:4800/' },
      note: {
        before: { apiToken: {}, completionURL: {} },
        ours: { apiToken: ['OURS'], completionURL: ['http://127.0.0.1:4800/'] },
      },
      isDifferent: true,
    });
  });

  test('says so where nothing is different, so that nothing is written', () => {
    expect(mergeSetting({ other: 1, ...OURS }, OURS, undefined).isDifferent).toBe(false);
  });
});

describe('undoing', () => {
  test('puts the fields back that were found, and takes away those that were not there', () => {
    const { value, note } = mergeSetting({ apiToken: 'THEIRS', model: 'm' }, OURS, undefined);
    expect(undoMerge(value, note)).toEqual({ apiToken: 'THEIRS', model: 'm' });
  });

  test('leaves what the person changed since', () => {
    const { value, note } = mergeSetting({ apiToken: 'THEIRS' }, OURS, undefined);
    expect(undoMerge({ ...value, apiToken: 'NEW', added: true }, note)).toEqual({ apiToken: 'NEW', added: true });
    expect(undoMerge(undefined, note)).toBe(undefined);
  });

  test('a setting that was not there is not there again; an empty one is empty again', () => {
    for (const before of [undefined, {}, null, 'text']) {
      const { value, note } = mergeSetting(before, OURS, undefined);
      expect(undoMerge(value, note)).toEqual(before);
    }
  });
});

const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
const json = fc.jsonValue();
const setting = fc.oneof(
  json,
  fc.constant(undefined),
  fc.record(
    { apiToken: json, completionURL: json, model: fc.string(), chat: fc.dictionary(fc.string(), json) },
    { requiredKeys: [] },
  ),
);
const fields = fc.record({ apiToken: fc.string({ minLength: 1 }), completionURL: fc.webUrl() });

describe('EDITOR-12 for any setting', () => {
  test('undoing leads back to exactly what was there, in the same order, however often the address changed', () => {
    fc.assert(
      fc.property(setting, fc.array(fields, { minLength: 1, maxLength: 5 }), (before, written) => {
        let note: MergeNote | undefined;
        let value: unknown = before;
        for (const each of written) ({ value, note } = mergeSetting(value, each, note));
        const after = undoMerge(value, note!);
        expect(after).toEqual(before);
        expect(JSON.stringify(after)).toBe(JSON.stringify(before));
      }),
      { seed: 1 },
    );
  });

  test('the note may be lost between two writes only as a whole: noting first and writing later undoes too', () => {
    fc.assert(
      fc.property(setting, fields, fields, (before, first, second) => {
        const one = mergeSetting(before, first, undefined);
        // The note of the second was kept, and the window died before the setting was written.
        const { note } = mergeSetting(one.value, second, one.note);
        expect(undoMerge(one.value, note)).toEqual(before);
      }),
      { seed: 1 },
    );
  });

  test('what the person changes in between is theirs: it is kept by undoing, and found again after a new connection', () => {
    fc.assert(
      fc.property(setting, fields, fc.string({ minLength: 1 }), fields, (before, first, theirs, second) => {
        fc.pre(![first.apiToken, second.apiToken].includes(theirs));
        const one = mergeSetting(before, first, undefined);
        const changed = { ...one.value, apiToken: theirs };
        expect(undoMerge(changed, one.note)).toMatchObject({ apiToken: theirs });
        const two = mergeSetting(changed, second, one.note);
        expect(undoMerge(two.value, two.note)).toMatchObject({ apiToken: theirs });
      }),
      { seed: 1 },
    );
  });

  test('merging twice is merging once, and no other field is touched', () => {
    fc.assert(
      fc.property(setting, fields, (before, given) => {
        const { value, note } = mergeSetting(before, given, undefined);
        expect(mergeSetting(value, given, note)).toEqual({ value, note, isDifferent: false });
        const others = Object.entries(before ?? {}).filter(([name]) => isObject(before) && !Object.hasOwn(given, name));
        for (const [name, other] of others) expect(value[name]).toEqual(other);
      }),
      { seed: 1 },
    );
  });
});

test('two values are the same whatever the order of their fields', () => {
  expect(isSame({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { e: 3, d: 2 }] }, a: 1 })).toBe(true);
  expect([isSame([1, 2], [2, 1]), isSame({ a: 1 }, { a: 1, b: undefined }), isSame(undefined, null)]).toEqual([
    false,
    true,
    false,
  ]);
});
