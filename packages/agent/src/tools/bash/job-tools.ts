import { z } from 'zod';
import { Tool } from '../tool.ts';
import type { JobInfo, JobRegistry } from './job-registry.ts';

const MAX_WAIT_MS = 120_000;
const READ_EXTRA_MS = 5_000;
const KILL_LIMIT_MS = 30_000;

/** The tools that go with background jobs. */
export function jobTools(jobs: JobRegistry): Tool.Info[] {
  return [jobOutputTool(jobs), jobKillTool(jobs)];
}

/** `job-output`: what a background job printed since the model last looked. */
function jobOutputTool(jobs: JobRegistry) {
  return Tool.define({
    id: 'job-output',
    description:
      'What a background job (bash with background: true) has printed since you last asked, and whether it still runs. ' +
      'With wait it waits that long for something new. You are told when a job ends; there is no need to poll for it.',
    parameters: z.object({
      jobID: z.string().describe('As bash returned it.'),
      wait: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe(`How many milliseconds to wait for new output; 0 when left out, at most ${MAX_WAIT_MS}.`),
    }),
    isReadOnly: true,
    keeps: 'tail',
    timeoutMs: ({ wait = 0 }) => Math.min(wait, MAX_WAIT_MS) + READ_EXTRA_MS,
    async execute({ jobID, wait = 0 }, { sessionID, abort }) {
      const waitMs = Math.min(wait, MAX_WAIT_MS);
      const { job, text, missedBytes, file } = await jobs.read(sessionID, jobID, { waitMs, abort });
      const missed = missedBytes === 0 ? '' : `[… ${missedBytes} bytes before this were left out …]\n`;
      const where = file === undefined ? '' : `\n[Everything it printed is in ${file}.]`;
      const printed = text === '' ? '[No new output.]' : missed + text.trimEnd();
      return {
        title: job.command,
        output: `${printed}\n\n[${describeJob(job)}]${where}`,
        metadata: { jobID, status: job.status, exitCode: job.exitCode, output: text },
        isBounded: true,
      };
    },
  });
}

/** `job-kill`: ends a background job. */
function jobKillTool(jobs: JobRegistry) {
  return Tool.define({
    id: 'job-kill',
    description: 'Ends a background job together with everything it started.',
    parameters: z.object({ jobID: z.string().describe('As bash returned it.') }),
    timeoutMs: () => KILL_LIMIT_MS,
    async execute({ jobID }, { sessionID }) {
      const job = await jobs.kill(sessionID, jobID);
      return {
        title: job.command,
        output: `[${describeJob(job)}]`,
        metadata: { jobID, status: job.status, exitCode: job.exitCode },
        isBounded: true,
      };
    },
  });
}

/** The time is part of it, so that two looks at a job that is silent are not the same result. */
function describeJob({ id, status, exitCode, signal, startedAt, endedAt }: JobInfo): string {
  const seconds = (((endedAt ?? Date.now()) - startedAt) / 1000).toFixed(1);
  if (status === 'running') return `Job ${id} has been running for ${seconds} s.`;
  if (status === 'killed') return `Job ${id} was killed after ${seconds} s.`;
  const how = exitCode === null ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  return `Job ${id} ${how} after ${seconds} s.`;
}
