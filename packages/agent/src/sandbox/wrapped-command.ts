import { bubblewrapCommand, withoutRights } from './bubblewrap-command.ts';
import { checkedCommand } from './check-mounts.ts';
import type { Bubblewrap } from './find-bubblewrap.ts';
import { type Mount, mountArguments } from './mounts.ts';

/** What a wrapped command is made of. */
interface Wrapped {
  command: readonly string[];
  cwd: string;
  network: boolean;
  mounts: readonly Mount[];
  /** Those of the mounts that the command must find as they were meant. */
  checked: readonly Mount[];
}

/**
 * A command on the machine as it is, read-only but for what is named, and without the places that hold keys.
 *
 * /run and /tmp are left out because a socket can be used on a read-only disk too, and behind the sockets there are programs
 * that do anything they are asked: containers, agents for keys, the desktop. Those elsewhere are among the `mounts`.
 */
export async function wrappedCommand(
  bubblewrap: Bubblewrap,
  { command, cwd, network, mounts, checked }: Wrapped,
): Promise<string[]> {
  return bubblewrapCommand(bubblewrap, { strictness: 'lenient' }, [
    ...withoutRights(bubblewrap),
    ...APART,
    ...(network ? [] : ['--unshare-net']),
    ...WHOLE_MACHINE,
    ...(network ? NAME_LOOKUP : []),
    ...(await mountArguments(mounts, { seen: ['/'], emptied: EMPTIED })),
    '--chdir',
    cwd,
    '--',
    ...(await checkedCommand(checked, command)),
  ]);
}

const APART = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
const WHOLE_MACHINE = [
  ['--ro-bind', '/', '/'],
  ['--dev', '/dev'],
  ['--proc', '/proc'],
  ['--remount-ro', '/proc'],
  ['--tmpfs', '/run'],
  ['--tmpfs', '/tmp'],
].flat();
const EMPTIED = ['/dev', '/proc', '/run', '/tmp'];
/** Where systemd keeps the addresses of name servers. */
const NAME_LOOKUP = ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'];
