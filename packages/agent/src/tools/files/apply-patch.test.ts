import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatchChunks } from './apply-patch.ts';
import { parsePatch } from './parse-patch.ts';

/** The text with the body of an update applied. */
function patched(content: string, ...body: string[]): string {
  const [operation] = parsePatch(['*** Begin Patch', '*** Update File: f', ...body, '*** End Patch'].join('\n'));
  if (operation?.type !== 'update') throw new Error('not an update');
  return applyPatchChunks(content, operation.chunks, 'f');
}

describe('a chunk', () => {
  test('is located by the lines it keeps and removes', () => {
    expect(patched('a\nb\nc\n', ' a', '-b', '+x', '+y', ' c')).toBe('a\nx\ny\nc\n');
    expect(patched('a\nb\nc\nd\n', '-b', '@@', ' c', '+x')).toBe('a\nc\nx\nd\n');
    expect(patched('', '+x')).toBe('x\n');
    expect(patched('a\n', '-a')).toBe('');
  });

  test('is found though whitespace at line ends differs, and lines that stay keep theirs', () => {
    expect(patched('a  \nb\t\nc\n', ' a', '-b', '+x', ' c')).toBe('a  \nx\nc\n');
  });

  test('takes the line ends of the file, and the end of the file stays as it is', () => {
    expect(patched('a\r\nb\r\n', ' a', '+x')).toBe('a\r\nx\r\nb\r\n');
    expect(patched('a\nb', ' b', '+c')).toBe('a\nb\nc');
    expect(patched('a\nb', '-b')).toBe('a');
  });

  test('at the end of the file is looked for there only', () => {
    expect(patched('x\na\nx\n', '-x', '+y', '*** End of File')).toBe('x\na\ny\n');
    expect(patched('a\n', '+z', '*** End of File')).toBe('a\nz\n');
    expect(() => patched('x\na\n', '-x', '*** End of File')).toThrow('were not found');
  });

  test('that only adds must say where', () => {
    expect(() => patched('a\nb\n', '@@ a', '+x')).toThrow('only adds lines, so nothing says where');
  });

  test('that is not there is told with the lines that come closest', () => {
    expect(() => patched('function a() {\n  return 1;\n}\n', ' function a() {', '-  return 2;')).toThrow(
      'These lines of the patch were not found in f:\nfunction a() {\n  return 2;\nThe lines that come closest (number, tab, line):\n1\tfunction a() {\n2\t  return 1;',
    );
  });
});

describe('a chunk that stands in several places', () => {
  const file = 'class A {\n  run() {\n    go();\n  }\n}\nclass B {\n  run() {\n    go();\n  }\n}\n';

  test('is refused with their lines when nothing decides', () => {
    expect(() => patched(file, '-    go();')).toThrow('stand in f 2 times, at lines 3, 8.');
    expect(() => patched(file, '@@ run() {', '-    go();')).toThrow('stand in f 2 times');
    expect(() => patched(file, '@@ class C', '-    go();')).toThrow('stand in f 2 times');
  });

  test('is the next one below what @@ names', () => {
    const inB = file.replace(/go\(\);(?!.*go)/s, 'stop();');
    expect(patched(file, '@@ class B {', '-    go();', '+    stop();')).toBe(inB);
    expect(patched(file, '@@ class B', '@@ run() {', '-    go();', '+    stop();')).toBe(inB);
    expect(patched(file, '@@ class A', '-    go();', '+    stop();')).toBe(file.replace('go', 'stop'));
    expect(patched('h\nx\nx\n', '@@ h', '-x', '+1', '@@ h', '-x', '+2')).toBe('h\n1\n2\n');
  });

  test('is the one after the chunk before it', () => {
    expect(patched(file, ' class B {', '@@', '-    go();', '+    stop();')).toBe(
      file.replace(/go\(\);(?!.*go)/s, 'stop();'),
    );
  });

  test('needs no @@ when it is there once, but must not contradict it', () => {
    expect(patched('a\nb\n', '@@ not there', '-b')).toBe('a\n');
    expect(() => patched('a\nb\nc\n', '@@ c', '-a')).toThrow('stand only above "c", which its @@ line names');
  });
});

test('chunks may come in any order, but not over each other', () => {
  expect(patched('a\nb\nc\n', '-c', '+3', '@@', '-a', '+1')).toBe('1\nb\n3\n');
  expect(() => patched('a\nb\nc\n', '-a', ' b', '@@', '-b', ' c')).toThrow('change the same lines of f, at line 2');
});

test('for any file with lines of its own, a chunk does what it says and nothing else', () => {
  const position = fc.nat(19);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      position,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.string({ unit: fc.constantFrom('x', ' ', '+') }), { maxLength: 3 }),
      (count, from, length, added) => {
        const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
        fc.pre(from < count);
        const removed = lines.slice(from, from + length);
        const body = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
        const expected = lines.toSpliced(from, removed.length, ...added);

        expect(patched(`${lines.join('\n')}\n`, ...body)).toBe(expected.map((line) => `${line}\n`).join(''));
      },
    ),
    { seed: 9, numRuns: 500 },
  );
});
