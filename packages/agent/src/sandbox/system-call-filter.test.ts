import { describe, expect, test } from 'vitest';
import { systemCallFilter } from './system-call-filter.ts';

const ALLOWED = 0x7fff0000;
const NOT_IMPLEMENTED = 0x00050026;
const NO_SUCH_FAMILY = 0x00050061;

interface Call {
  machine: number;
  number: number;
  argument?: number;
}

/** What the kernel does with such a program: the few instructions it is made of. */
function decide(program: Buffer, { machine, number, argument = 0 }: Call): number {
  const fields = new Map([
    [0, number],
    [4, machine],
    [16, argument],
  ]);
  let value = 0;
  for (let place = 0; place < program.length; place += 8) {
    const code = program.readUInt16LE(place);
    const operand = program.readUInt32LE(place + 4);
    const jump = (isTrue: boolean) => 8 * program.readUInt8(place + (isTrue ? 2 : 3));
    if (code === 0x20) value = fields.get(operand)!;
    else if (code === 0x15) place += jump(value === operand);
    else if (code === 0x35) place += jump(value >= operand);
    else if (code === 0x06) return operand;
    else throw new Error(`There is no instruction ${code}.`);
  }
  throw new Error('The program has no end.');
}

describe.each([
  { arch: 'x64', machine: 0xc000003e, other: 0x40000003, read: 0, socket: 41, ring: 425, memoryFile: 319 },
  { arch: 'arm64', machine: 0xc00000b7, other: 0x40000028, read: 63, socket: 198, ring: 425, memoryFile: 279 },
])('on $arch', ({ arch, machine, other, read, socket, ring, memoryFile }) => {
  const strict = systemCallFilter('strict', arch)!;
  const lenient = systemCallFilter('lenient', arch)!;

  test('ordinary calls pass, and sockets of the families that stay in the namespace', () => {
    expect(decide(strict, { machine, number: read })).toBe(ALLOWED);
    expect([1, 2, 10, 16].map((argument) => decide(strict, { machine, number: socket, argument }))).toEqual([
      ALLOWED,
      ALLOWED,
      ALLOWED,
      ALLOWED,
    ]);
  });

  test('sockets of other families do not exist', () => {
    // Packets, the kernel's ciphers, the host of a virtual machine, Bluetooth.
    for (const argument of [17, 38, 40, 31]) {
      expect(decide(strict, { machine, number: socket, argument })).toBe(NO_SUCH_FAMILY);
      expect(decide(lenient, { machine, number: socket, argument })).toBe(NO_SUCH_FAMILY);
    }
  });

  test('the ways around are not implemented, nor are the numbers of another machine', () => {
    expect(decide(lenient, { machine, number: ring })).toBe(NOT_IMPLEMENTED);
    expect(decide(strict, { machine: other, number: read })).toBe(NOT_IMPLEMENTED);
  });

  test('files in memory are refused only where memory is limited', () => {
    expect(decide(strict, { machine, number: memoryFile })).toBe(NOT_IMPLEMENTED);
    expect(decide(lenient, { machine, number: memoryFile })).toBe(ALLOWED);
  });
});

test('the second table of x64 is not implemented', () => {
  expect(decide(systemCallFilter('lenient', 'x64')!, { machine: 0xc000003e, number: 0x40000000 + 41 })).toBe(
    NOT_IMPLEMENTED,
  );
});

test('for a machine we do not know there is no filter', () => {
  expect(systemCallFilter('strict', 'riscv64')).toBeUndefined();
});
