import {
  type AgentBackend,
  DragomanError,
  type RunnerCommand,
  type RunnerEvent,
  type SessionSpec,
} from '@dragoman/protocol';
import { toFault } from '../backend/to-fault.ts';
import { withinLimit } from '../time-limit.ts';

/** The command that asks for it. */
type Revert = Extract<RunnerCommand, { type: 'revert' }>;

/** What reverting needs of the session's host. */
export interface RevertOptions {
  spec: SessionSpec;
  /** The backend, opened first where there is none. */
  open: () => Promise<AgentBackend>;
  limitMs: number;
  record: (event: RunnerEvent) => boolean;
  /** Shows people something in the session. */
  notice: (text: string) => void;
}

/** So many files are named in a notice. */
const NAMED_FILES = 10;

/**
 * Lets the agent of a session take a prompt back, and tells what came of it; never rejects.
 *
 * An agent that is done only after its time was up has taken the prompt back all the same, and that is told too: what is
 * shown and what the agent remembers stay the same.
 */
export async function revertAgent(
  command: Revert,
  { spec, open, limitMs, record, notice }: RevertOptions,
): Promise<void> {
  let isLate = false;
  const run = async () => {
    const backend = await open();
    if (backend.revert === undefined || backend.capabilities.revert !== true)
      throw new DragomanError('bad-request', `The agent "${spec.agent}" cannot revert prompts here.`);
    const reverting = backend.revert(command.messageId).then(({ files, skipped = [] }) => {
      if (!record({ type: 'reverted', ...about(command), files: [...files] })) return;
      if (skipped.length > 0) notice(`Some files were not restored. ${list(skipped)}`);
    });
    await withinLimit('the agent, asked to take a prompt back,', limitMs, () => reverting).catch((error: unknown) => {
      isLate = error instanceof DragomanError && error.code === 'timed-out';
      reverting.catch(() => {}); // It was told already that it failed.
      throw error;
    });
  };
  try {
    await run();
  } catch (error) {
    record(revertFailed(command, error, isLate ? 'It may still happen, and is shown then.' : undefined));
  }
}

/** That a prompt was not taken back, and why. */
export function revertFailed(command: Revert, error: unknown, fix?: string): RunnerEvent {
  const fault = toFault(error);
  return { type: 'revert-failed', ...about(command), error: { ...fault, ...(fix === undefined ? {} : { fix }) } };
}

function about({ messageId, revertId }: Revert): Omit<Revert, 'type'> {
  return { messageId, ...(revertId === undefined ? {} : { revertId }) };
}

function list(skipped: readonly string[]): string {
  const more = skipped.length - NAMED_FILES;
  return [...skipped.slice(0, NAMED_FILES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
