import { endMarked, guardMarked, markEnvironment, newMark } from '@dragoman/server/base';
import { type Id, newId } from '@dragoman/protocol';
import { ToolError } from '../tool.ts';
import { GroupGuard } from './group-guard.ts';
import { OutputKeeper, type OutputLimits } from './output-keeper.ts';
import { type ShellProcess, startShell } from './shell-process.ts';

/** What a job is started with. */
export interface JobStart {
  sessionID: string;
  /** As the model wrote it. */
  command: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Where its output goes once it is much. */
  outputFolder: string;
  /** Called when it has ended; what it says is added to the output. */
  settle?: () => Promise<string>;
}

/** A job as others see it. */
export interface JobInfo {
  id: Id<'job'>;
  sessionID: string;
  command: string;
  status: 'running' | 'exited' | 'killed';
  exitCode: number | null;
  signal: string | null;
  startedAt: number;
  endedAt: number | undefined;
}

/** Told when a job ends by itself. */
export interface EndedJob {
  sessionID: string;
  jobID: Id<'job'>;
  command: string;
  exitCode: number | null;
  signal: string | null;
  /** The last of what it printed. */
  tail: string;
}

/** What a job printed since it was last read. */
export interface JobOutput {
  job: JobInfo;
  text: string;
  /** How much of it is no longer kept in memory. */
  missedBytes: number;
  /** Everything it printed, once that is much. */
  file: string | undefined;
}

/** Who is told, and how many there may be. */
export interface JobRegistryOptions {
  /** Told of jobs that end by themselves, not of those that were killed. */
  onExit?: (ended: EndedJob) => void;
  /** At once, of one session. */
  maxRunning?: number;
  /** Ended ones that are remembered. */
  maxEnded?: number;
  graceMs?: number;
  limits?: Partial<OutputLimits>;
}

interface Job extends JobInfo {
  shell: ShellProcess;
  output: OutputKeeper;
  readBytes: number;
  wake: Set<() => void>;
  ended: Promise<void>;
}

const TAIL_CHARS = 2000;

/**
 * Commands that run on while the agent does something else.
 *
 * A job belongs to the session that started it; no other one can see it. It has no time limit: it ends by itself, when it
 * is killed, or with the registry, of which there is one per process. The registry also guards the groups of commands that
 * are waited for, and everything with the mark of a session, so that nothing outlives the process, even when it is killed.
 */
export class JobRegistry {
  readonly #options: Required<JobRegistryOptions>;
  readonly #jobs = new Map<string, Job>();
  #isClosed = false;
  readonly guard = new GroupGuard();
  /** What each session's commands, and what they start, are known by. */
  readonly #marks = new Map<string, { mark: string; letGo: () => void }>();

  constructor(options: JobRegistryOptions = {}) {
    this.#options = { onExit: () => {}, maxRunning: 16, maxEnded: 100, graceMs: 3000, limits: {}, ...options };
  }

  /** Starts a job. Throws `ToolError` when the session has too many. */
  async start({ sessionID, command, outputFolder: folder, ...shell }: JobStart): Promise<JobInfo> {
    const running = this.list(sessionID).filter(({ status }) => status === 'running');
    if (this.#isClosed) throw new ToolError('No background job can be started any more: the agent is shutting down.');
    if (running.length >= this.#options.maxRunning)
      throw new ToolError(
        `${running.length} background jobs are running, and that is the most. End one with job-kill first: ` +
          running.map(({ id }) => id).join(', '),
      );
    const id = newId('job');
    const wake = new Set<() => void>();
    const notify = () => {
      for (const each of wake) each();
    };
    const output = new OutputKeeper({ folder, name: id, limits: this.#options.limits });
    const env = { ...shell.env, ...this.environmentOf(sessionID) };
    const process = await startShell({ ...shell, env, output, guard: this.guard, onOutput: notify });
    const job: Job = {
      id,
      sessionID,
      command,
      status: 'running',
      exitCode: null,
      signal: null,
      startedAt: Date.now(),
      endedAt: undefined,
      shell: process,
      output,
      readBytes: 0,
      wake,
      ended: Promise.resolve(),
    };
    this.#jobs.set(id, job);
    job.ended = this.#follow(job, notify);
    if (this.#isClosed) await process.stop(this.#options.graceMs);
    return infoOf(job);
  }

  /** Added to the environment of every command of a session, so that what leaves its group ends with the session too. */
  environmentOf(sessionID: string): Record<string, string> {
    let marked = this.#marks.get(sessionID);
    if (marked === undefined) {
      const mark = newMark();
      this.#marks.set(sessionID, (marked = { mark, letGo: guardMarked(mark) }));
    }
    return markEnvironment(marked.mark);
  }

  /** The jobs of a session, the oldest first. */
  list(sessionID: string): JobInfo[] {
    return [...this.#jobs.values()].filter((job) => job.sessionID === sessionID).map(infoOf);
  }

  /** What a job printed since the last time. Waits up to `waitMs` when that is nothing and it still runs. */
  async read(
    sessionID: string,
    jobID: string,
    { waitMs = 0, abort }: { waitMs?: number; abort?: AbortSignal } = {},
  ): Promise<JobOutput> {
    const job = this.#find(sessionID, jobID);
    if (job.output.totalBytes === job.readBytes && job.status === 'running') await newsOf(job, waitMs, abort);
    const { text, missedBytes } = job.output.since(job.readBytes);
    job.readBytes = job.output.totalBytes;
    return { job: infoOf(job), text, missedBytes, file: job.output.file };
  }

  /** Ends a job with everything it started. One that has ended stays as it ended. */
  async kill(sessionID: string, jobID: string): Promise<JobInfo> {
    const job = this.#find(sessionID, jobID);
    await this.#end(job);
    return infoOf(job);
  }

  /** Ends all jobs of a session that is over, and forgets them. */
  async killSession(sessionID: string): Promise<void> {
    const jobs = [...this.#jobs.values()].filter((job) => job.sessionID === sessionID);
    await Promise.all(jobs.map((job) => this.#end(job)));
    for (const { id } of jobs) this.#jobs.delete(id);
    this.#endMarked(sessionID);
  }

  /** Ends all jobs, and all commands that are still running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#jobs.values()].map((job) => this.#end(job)));
    await this.guard.stopAll(this.#options.graceMs);
    this.#endAllMarked();
  }

  /** The same at once, for when the process is about to end. */
  closeNow(): void {
    this.#isClosed = true;
    for (const job of this.#jobs.values()) if (job.status === 'running') job.status = 'killed';
    this.guard.killAll();
    this.#endAllMarked();
  }

  #endAllMarked(): void {
    for (const sessionID of this.#marks.keys()) this.#endMarked(sessionID);
  }

  #endMarked(sessionID: string): void {
    const marked = this.#marks.get(sessionID);
    if (marked === undefined) return;
    endMarked(marked.mark);
    marked.letGo();
    this.#marks.delete(sessionID);
  }

  #find(sessionID: string, jobID: string): Job {
    const job = this.#jobs.get(jobID);
    if (job?.sessionID === sessionID) return job;
    const known = this.list(sessionID).map(({ id, status, command }) => `${id} (${status}): ${firstLine(command)}`);
    const list = known.length === 0 ? 'There are no jobs.' : `The jobs are:\n${known.join('\n')}`;
    throw new ToolError(`There is no job "${jobID}". ${list}`);
  }

  async #end(job: Job): Promise<void> {
    if (job.status === 'running') job.status = 'killed';
    if (job.endedAt === undefined) await job.shell.stop(this.#options.graceMs);
    await job.ended;
  }

  async #follow(job: Job, notify: () => void): Promise<void> {
    const { exitCode, signal } = await job.shell.exited;
    job.exitCode = exitCode;
    job.signal = signal;
    job.endedAt = Date.now();
    const isOwnEnd = job.status === 'running';
    if (isOwnEnd) job.status = 'exited';
    notify();
    this.#forget();
    if (!isOwnEnd) return;
    const { sessionID, id: jobID, command } = job;
    this.#options.onExit({ sessionID, jobID, command, exitCode, signal, tail: job.output.preview(TAIL_CHARS) });
  }

  #forget(): void {
    const ended = [...this.#jobs.values()].filter(({ status }) => status !== 'running');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - this.#options.maxEnded))) this.#jobs.delete(id);
  }
}

function infoOf({ id, sessionID, command, status, exitCode, signal, startedAt, endedAt }: Job): JobInfo {
  return { id, sessionID, command, status, exitCode, signal, startedAt, endedAt };
}

/** Resolves when the job printed something or ended, or after `waitMs`. */
function newsOf(job: Job, waitMs: number, abort: AbortSignal | undefined): Promise<void> {
  if (waitMs <= 0 || abort?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      job.wake.delete(settle);
      abort?.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, waitMs);
    job.wake.add(settle);
    abort?.addEventListener('abort', settle, { once: true });
  });
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!;
}
