import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isWithin, type Mount } from './mounts.ts';

/**
 * A command line that looks at the mounts around it before it becomes the command.
 *
 * Between planning a mount and making it, another command that runs in the same project can put a link in the place of a folder, and
 * bubblewrap would follow it. So what was mounted is compared with what was meant: every system tells, for each mount, the path
 * that it is of and the one that it is at.
 */
export async function checkedCommand(mounts: readonly Mount[], command: readonly string[]): Promise<string[]> {
  const list = await readFile('/proc/self/mountinfo', 'utf8');
  const disks = list.split('\n').flatMap((line) => {
    const [, , , root, point] = line.split(' ');
    return root === undefined || point === undefined ? [] : [{ root: plain(root), point: plain(point) }];
  });
  const expected = mounts.map(({ path, is }) => {
    const disk = disks
      .filter(({ point }) => isWithin(point, path))
      .toSorted((one, other) => one.point.length - other.point.length)
      .at(-1) ?? { root: '/', point: '/' };
    const origin = join(disk.root, relative(disk.point, path));
    return `${escaped(origin)} ${escaped(path)} ${is === 'read-only' ? 'ro' : ''}`;
  });
  return ['/bin/sh', '-c', CHECK, 'sh', ...expected, '--', ...command];
}

const CHECK = `mounted=$(while read -r _ _ _ root point options _; do printf '%s\\n' "$root $point $options"; done </proc/self/mountinfo)
while [ "$1" != -- ]; do
  case "
$mounted" in
  *"
$1"*) shift ;;
  *) echo "A folder was replaced while the sandbox was made, so nothing was run. Try again." >&2; exit 126 ;;
  esac
done
shift
exec "$@"`;

/** As the kernel writes paths in lists. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function plain(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
