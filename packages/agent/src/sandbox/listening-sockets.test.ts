import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { listeningSockets } from './listening-sockets.ts';

test('files are taken from the list of the system, each once; what has no name on a disk is not', async () => {
  const list = join(tempFolder(), 'unix');
  const line = (path: string) => `0000000000000000: 00000002 00000000 00010000 0001 01 15923${path}`;
  writeFileSync(
    list,
    [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      line(' /var/lib/incus/unix.socket'),
      line(' /home/me/.1password/agent.sock'),
      line(' /home/me/with two  spaces'),
      line(' /var/lib/incus/unix.socket'),
      line(' @abstract/socket'),
      line(' relative.sock'),
      line(''),
      '',
    ].join('\n'),
  );

  expect(await listeningSockets(list)).toEqual([
    '/var/lib/incus/unix.socket',
    '/home/me/.1password/agent.sock',
    '/home/me/with two  spaces',
  ]);
  expect(await listeningSockets('/no/such/list')).toEqual([]);
});
