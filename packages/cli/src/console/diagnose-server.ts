import {
  describeHeldBack,
  describeLocation,
  type Diagnosis,
  explainConfig,
  type LoadedConfig,
  type Store,
} from '@dragoman/server';
import { describeWaiting } from '../describe-waiting.ts';
import { examineServer } from '../examine-server.ts';
import type { Setup } from '../load-setup.ts';
import type { DragomanConfig } from '../rooms.ts';
import { runnerFolder } from '../runner-folder.ts';
import { describeOldProcess } from '../server-runner/old-process.ts';

/** The running server, as it is asked about itself. */
export interface RunningParts {
  setup: Setup;
  store: Store;
  /** The configuration in force. */
  config: LoadedConfig<DragomanConfig>;
  /** Why the file is not in force as it is. */
  problem: string | undefined;
  url: string;
  /** How many records of model calls wait for the store to be back. */
  usageWaiting: number;
  /** Targets of model calls that are passed over after failures. */
  resting: readonly { name: string }[];
}

/** What `dragoman doctor` finds, told by the server that runs: with the store it has open and the settings in force. */
export async function diagnoseServer({
  setup,
  store,
  config,
  problem,
  url,
  usageWaiting,
  resting,
}: RunningParts): Promise<Diagnosis> {
  const { findings } = await examineServer({
    places: setup,
    config: config.value,
    configuration: {
      subject: 'configuration',
      isWell: problem === undefined,
      says: describeProblem(problem, config) ?? setup.source.file,
    },
    async describeStore() {
      await store.ping();
      return `${store.engine}: ${describeLocation(setup.location)}, up to date`;
    },
    async describeServer() {
      const old = describeOldProcess(runnerFolder(setup, undefined));
      const place = `running at ${url} (process ${process.pid})${old === undefined ? '' : `; ${old}`}`;
      if (usageWaiting > 0) throw new Error(`${place}; ${describeWaiting(usageWaiting)}`);
      const names = resting.map(({ name }) => name).join(', ');
      return resting.length === 0 ? place : `${place}; paused after failures: ${names}`;
    },
    readStore: (read) => read(store),
  });
  return { findings, settings: explainConfig(config) };
}

function describeProblem(problem: string | undefined, { heldBack }: LoadedConfig<DragomanConfig>): string | undefined {
  if (problem === undefined || problem === describeHeldBack(heldBack)) return problem;
  return `${problem}\nThe last valid version is still in use.`;
}
