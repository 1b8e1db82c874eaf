import { execFileSync, spawn } from 'node:child_process';

/** A file of a repository's newest commit. */
export interface GitFile {
  sha: string;
  path: string;
  size: number;
}

/** Every plain file of a commit. */
export function listFiles(gitDir: string, commit: string): GitFile[] {
  const listing = execFileSync('git', ['--git-dir', gitDir, 'ls-tree', '-r', '-l', '-z', commit], {
    maxBuffer: 1 << 29,
  });
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const match = /^100\d+ blob (\w+)\s+(\d+)\t(.*)$/s.exec(line);
      return match === null ? [] : [{ sha: match[1]!, size: Number(match[2]), path: match[3]! }];
    });
}

/** Reads files one after the other through one process of git. */
export async function readFiles(
  gitDir: string,
  files: readonly GitFile[],
  receive: (file: GitFile, bytes: Buffer) => void,
): Promise<void> {
  const git = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = new Promise((resolve) => git.once('close', resolve));
  git.stdin.on('error', () => {}); // It ended early; what was read counts.
  git.stdin.end(files.map(({ sha }) => `${sha}\n`).join(''));
  let rest: Buffer[] = [];
  let length = 0;
  let needed = 0;
  let index = 0;
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    rest.push(chunk);
    length += chunk.length;
    if (length < needed) continue;
    const buffer = rest.length === 1 ? rest[0]! : Buffer.concat(rest);
    let at = 0;
    needed = 0;
    for (;;) {
      const line = buffer.indexOf(10, at);
      if (line < 0) break;
      const [, type, size] = buffer.toString('latin1', at, line).split(' ');
      if (type === 'missing') {
        index++;
        at = line + 1;
        continue;
      }
      const end = line + 1 + Number(size);
      if (buffer.length < end + 1) {
        needed = end + 1 - at;
        break;
      }
      receive(files[index++]!, buffer.subarray(line + 1, end));
      at = end + 1;
    }
    rest = [buffer.subarray(at)];
    length = buffer.length - at;
  }
  await closed;
}
