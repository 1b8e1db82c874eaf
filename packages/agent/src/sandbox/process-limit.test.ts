import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { ToolError } from '../tools/tool.ts';
import { findProcessLimit } from './process-limit.ts';

test('an ordinary user is held by the limit of the user namespace', async () => {
  const limit = await findProcessLimit({ isRoot: false, kernel: '5.14.0-503.el9.x86_64' });

  expect(await limit.begin(128)).toMatchObject({ outside: ':', inside: '{ ulimit -u 128 || ulimit -p 128; }' });
});

test('a kernel that counts all processes of the person is refused', async () => {
  const refusal = findProcessLimit({ isRoot: false, kernel: '5.4.0-216-generic' });

  await expect(refusal).rejects.toBeInstanceOf(ToolError);
  await expect(refusal).rejects.toThrow(
    'The sandbox needs Linux 5.14 or later to limit the number of processes in it; this is 5.4.0-216-generic.',
  );
});

test('root, whom the kernel does not hold, is refused where control groups cannot be made', async () => {
  const cgroups = join(tempFolder(), 'nowhere');

  await expect(findProcessLimit({ isRoot: true, cgroups })).rejects.toThrow(
    `The sandbox cannot limit the number of processes: Dragoman runs as root, and ${cgroups} is not writable or has no pids controller.`,
  );
});

test('and where they have no counter of processes', async () => {
  await expect(findProcessLimit({ isRoot: true, cgroups: tempFolder() })).rejects.toThrow('has no pids controller');
});

const groups = '/sys/fs/cgroup/pids';
test.skipIf(process.getuid?.() !== 0 || !existsSync(groups))(
  'a run of root has a group of its own, gone when it ends (only as root, with control groups of version 1)',
  async () => {
    mkdirSync(join(groups, 'dragoman-sandbox-4194305-1'));
    const limit = await findProcessLimit({ isRoot: true });
    const begun = await limit.begin(128);
    const group = /'(.*)\/cgroup.procs'$/.exec(begun.outside)![1]!;

    expect(readFileSync(join(group, 'pids.max'), 'utf8')).toBe('128\n');
    await begun.end();
    expect(existsSync(group)).toBe(false);
    expect(existsSync(join(groups, 'dragoman-sandbox-4194305-1'))).toBe(false);
  },
);
