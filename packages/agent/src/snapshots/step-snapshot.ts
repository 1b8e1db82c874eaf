import type { SnapshotLog, Snapshots } from './open-snapshots.ts';

/** What a step did to the files. */
interface StepPatch {
  before: string;
  after: string;
  files: string[];
}

/** The states around the steps of one turn. */
export interface StepSnapshots {
  /** Before the first tool of a step that may change files; the later calls of the step wait for the same state. */
  beforeChange(signal?: AbortSignal): Promise<void>;
  /**
   * What changed since; undefined when nothing did, or no tool could have. The next step starts anew. After a turn that
   * was cancelled it is given no signal, or a fresh one: what its tools did is there all the same.
   */
  afterStep(signal?: AbortSignal): Promise<StepPatch | undefined>;
}

/** A step that only reads costs nothing: no state is taken unless a tool that changes files is about to run. */
export function stepSnapshots(
  snapshots: Pick<Snapshots, 'track' | 'changes'>,
  log?: Pick<SnapshotLog, 'warn'>,
): StepSnapshots {
  let before: Promise<string | undefined> | undefined;
  return {
    async beforeChange(signal) {
      before ??= snapshots.track(signal);
      await before;
    },
    async afterStep(signal) {
      const asked = before;
      before = undefined;
      // A first state that was cancelled is no state; whoever called it off has been told.
      const first = await asked?.catch(() => undefined);
      if (first === undefined) return undefined;
      const after = await snapshots.track(signal);
      if (after === undefined || after === first) return undefined;
      try {
        const changes = await snapshots.changes(first, after);
        return { before: first, after, files: changes.map(({ path }) => path) };
      } catch (err) {
        log?.warn({ err }, 'what a step changed could not be told');
        return undefined;
      }
    },
  };
}
