import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { openRepository, type Repository } from './open-repository.ts';

/** A git repository of the running test's own, and a user who has set up nothing. */
export interface TestRepository {
  root: string;
  environment: Record<string, string>;
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  /** The repository as the runner sees it from one of its folders. */
  open(folder?: string): Promise<Repository>;
}

/** Makes a repository with these files committed; without any it has no commit yet. */
export function testRepository(files: Readonly<Record<string, string | Buffer>> = {}): TestRepository {
  const base = realpathSync(tempFolder());
  const root = join(base, 'app');
  mkdirSync(root);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  const repository: TestRepository = {
    root,
    environment,
    git: (...args) => execFileSync('git', [...identity, ...args], { cwd: root, env: environment, encoding: 'utf8' }),
    write(given) {
      for (const [path, content] of Object.entries(given)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
    },
    async open(folder = '') {
      return (await openRepository({ folder: join(root, folder), environment }))!;
    },
  };
  repository.git('init', '--quiet');
  if (Object.keys(files).length > 0) {
    repository.write(files);
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message', 'first');
  }
  return repository;
}
