import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Which calls of the kernel are refused: the few for programs of a person, or also those that evade a memory limit. */
export type Strictness = 'lenient' | 'strict';

/**
 * What namespaces leave open, closed by a seccomp filter.
 *
 * A network namespace does not hold sockets of other families: AF_VSOCK reaches the host of a virtual machine from
 * anywhere. io_uring opens sockets past any filter, so it goes too. Memory files belong to no mapping and no folder, where
 * the watch would see them. All of these answer "not implemented", from which programs know how to go on.
 */
export function systemCallFilter(strictness: Strictness, arch: string = process.arch): Buffer | undefined {
  const machine = MACHINES[arch];
  if (machine === undefined) return undefined;

  const refused = [...machine.refused, ...(strictness === 'strict' ? machine.memoryFiles : [])];
  return Buffer.concat([
    load(ARCH_FIELD),
    ...unlessEqual(machine.audit, answer(ENOSYS)),
    load(NUMBER_FIELD),
    ...(machine.foreignFrom === undefined ? [] : [jump(JGE, machine.foreignFrom, 0, 1), answer(ENOSYS)]),
    ...refused.flatMap((number) => [jump(JEQ, number, 0, 1), answer(ENOSYS)]),
    jump(JEQ, machine.socket, 1, 0),
    ALLOW,
    load(FIRST_ARGUMENT),
    ...FAMILIES.flatMap((family) => [jump(JEQ, family, 0, 1), ALLOW]),
    answer(EAFNOSUPPORT),
  ]);
}

/**
 * The filter as a path that a child process of ours can open, for as long as we run.
 *
 * It leads to an open file without a name: nobody can change it, and nothing is left behind.
 */
export function systemCallFilterPath(strictness: Strictness): string | undefined {
  let descriptor = open.get(strictness);
  if (descriptor === undefined) {
    const filter = systemCallFilter(strictness);
    if (filter === undefined) return undefined;
    descriptor = unnamedFile(filter);
    open.set(strictness, descriptor);
  }
  return `/proc/${process.pid}/fd/${descriptor}`;
}

const open = new Map<Strictness, number>();

function unnamedFile(content: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-filter-'));
  try {
    const path = join(folder, 'filter');
    writeFileSync(path, content, { mode: 0o600 });
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Machine {
  /** How the kernel names the machine, so that calls by the numbers of another one are refused. */
  audit: number;
  /** x86 numbers its second table from here. */
  foreignFrom?: number;
  socket: number;
  /** io_uring_setup, add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd. */
  refused: number[];
  /** memfd_create, memfd_secret. */
  memoryFiles: number[];
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    foreignFrom: 0x40000000,
    socket: 41,
    refused: [425, 248, 249, 250, 321, 298, 323],
    memoryFiles: [319, 447],
  },
  arm64: { audit: 0xc00000b7, socket: 198, refused: [425, 217, 218, 219, 280, 241, 282], memoryFiles: [279, 447] },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, which name lookup needs: all of them stay in the namespace. */
const FAMILIES = [1, 2, 10, 16];
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

// Places in the kernel's description of a call, and instructions of its filter machine.
const NUMBER_FIELD = 0;
const ARCH_FIELD = 4;
const FIRST_ARGUMENT = 16;
const JEQ = 0x15;
const JGE = 0x35;
const ALLOW = instruction(0x06, 0, 0, 0x7fff0000);

function load(offset: number): Buffer {
  return instruction(0x20, 0, 0, offset);
}

function jump(code: number, value: number, ifTrue: number, ifFalse: number): Buffer {
  return instruction(code, ifTrue, ifFalse, value);
}

function answer(errorNumber: number): Buffer {
  return instruction(0x06, 0, 0, 0x00050000 | errorNumber);
}

function unlessEqual(value: number, then: Buffer): Buffer[] {
  return [jump(JEQ, value, 1, 0), then];
}

function instruction(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
