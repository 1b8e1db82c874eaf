import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';

/** A repository in a folder of its own, whose configuration a test makes hostile, and a user who has set up nothing. */
export interface HostileRepository {
  root: string;
  environment: Record<string, string>;
  /** A program that makes the file `mark` when somebody runs it. */
  evil: string;
  mark: string;
  git(...args: string[]): string;
  set(key: string, value: string): void;
  write(files: Readonly<Record<string, string>>): void;
  /** Makes git look at a file again, since only the time of it has changed. */
  touch(path: string): void;
  /** Runs a line of the shell in the repository, and tells whether the program ran. */
  leavesMark(line: string, environment?: Readonly<Record<string, string>>): boolean;
  /** Runs a line of the shell in the repository, and gives back all that it printed. */
  shown(line: string, environment?: Readonly<Record<string, string>>): string;
}

/** Makes the repository, with two commits and a merge. */
export function hostileRepository(): HostileRepository {
  const base = realpathSync(tempFolder());
  const [root, mark, evil] = [join(base, 'app'), join(base, 'mark'), join(base, 'evil.sh')];
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(evil, `#!/bin/sh\ntouch '${mark}'\ncat >/dev/null 2>&1 </dev/null\nexit 0\n`);
  chmodSync(evil, 0o755);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  const repository: HostileRepository = {
    root,
    environment,
    evil,
    mark,
    git: (...args) => execFileSync('git', [...identity, ...args], { cwd: root, env: environment, encoding: 'utf8' }),
    set: (key, value) => void repository.git('config', key, value),
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
    },
    touch: (path) => utimesSync(join(root, path), 1, 1),
    leavesMark(line, more = {}) {
      rmSync(mark, { force: true });
      spawnSync('/bin/sh', ['-c', line], { cwd: root, env: { ...environment, ...more } });
      return existsSync(mark);
    },
    shown: (line, more = {}) =>
      spawnSync('/bin/sh', ['-c', `{ ${line}; } 2>&1`], {
        cwd: root,
        env: { ...environment, ...more },
      }).stdout.toString(),
  };
  const { git, write } = repository;
  git('init', '--quiet');
  write({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n' });
  git('add', '--all');
  git('commit', '--quiet', '-m', 'first');
  git('checkout', '--quiet', '-b', 'other');
  write({ 'a.txt': 'two\n' });
  git('commit', '--quiet', '-am', 'other');
  git('checkout', '--quiet', 'main');
  write({ 'a.txt': 'three\n' });
  git('commit', '--quiet', '-am', 'second');
  git('merge', '--quiet', '-s', 'ours', '-m', 'merged', 'other');
  return repository;
}
