import { tempFolder } from '@dragoman/testkit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Tool } from '../tool.ts';
import { bashTool, type BashToolOptions } from './bash-tool.ts';
import { JobRegistry, type JobRegistryOptions } from './job-registry.ts';

/** A registry whose jobs end with the test. */
export function testJobs(options: JobRegistryOptions = {}): JobRegistry {
  const jobs = new JobRegistry({ graceMs: 200, ...options });
  onTestFinished(() => jobs.close());
  return jobs;
}

/** What a call is told, in a folder of its own; `shown` collects what it shows while it runs. */
export function testContext(more: Partial<Tool.Context> = {}): Tool.Context & { shown: Record<string, unknown>[] } {
  const cwd = more.cwd ?? tempFolder();
  const shown: Record<string, unknown>[] = [];
  return {
    sessionID: 'ses_1',
    messageID: 'msg_1',
    callID: 'call_1',
    agent: 'build',
    cwd,
    root: cwd,
    abort: new AbortController().signal,
    metadata: ({ metadata }) => void shown.push({ ...metadata }),
    isPermitted: () => true,
    ask: () => Promise.resolve(),
    ...more,
    shown,
  };
}

/** The tool in a folder of its own, with a short time to end in. */
export function testBash(options: Partial<BashToolOptions> = {}) {
  const outputFolder = join(tempFolder(), 'outputs');
  const jobs = options.jobs ?? testJobs();
  return { jobs, outputFolder, bash: bashTool({ jobs, outputFolder, graceMs: 300, ...options }) };
}

/** Whether a process runs. One that has ended but was not yet taken note of by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).syscall !== 'kill' && process.platform !== 'linux';
  }
}
