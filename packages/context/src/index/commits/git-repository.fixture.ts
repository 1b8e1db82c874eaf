import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';

export interface TestRepository {
  root: string;
  /** Writes the files and commits everything; each commit is a second later than the one before. */
  commit(subject: string, files: Record<string, string>, body?: string): void;
}

/** A git repository of the running test's own. */
export function gitRepository(): TestRepository {
  const root = tempFolder();
  let second = 5;
  const git = (...args: string[]) => {
    const date = `2026-01-02T03:04:0${second}+00:00`;
    execFileSync('git', args, {
      cwd: root,
      stdio: 'pipe',
      env: {
        PATH: process.env['PATH'],
        HOME: root,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
    });
  };
  git('init', '--quiet');
  return {
    root,
    commit(subject, files, body = '') {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--no-gpg-sign', '-m', subject, ...(body === '' ? [] : ['-m', body]));
      second++;
    },
  };
}
