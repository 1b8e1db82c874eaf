import { channelKinds, readChannelState } from '@dragoman/hub/setup';
import { storeTime } from '@dragoman/server/base';
import type { StoreReader } from './read-store.ts';
import type { DragomanConfig } from './rooms.ts';

/** Chat platforms that are set up, each with how it is by what its server has noted. Throws where one waits to be mended. */
export async function describeChannels(readStore: StoreReader, config: DragomanConfig | undefined): Promise<string> {
  const settings: Readonly<Record<string, unknown>> = config?.channels ?? {};
  const names = channelKinds.map(({ name }) => name).filter((name) => settings[name] !== undefined);
  if (names.length === 0) return 'none set up';
  const states =
    (await readStore((store) =>
      Promise.all(names.map((name) => readChannelState(store.tables(), name, storeTime(store.engine)))),
    )) ?? [];
  const told = names.map((name, index) => {
    const state = states[index];
    // Nobody works for a channel while no server runs.
    if (state === undefined || state.type === 'starting') return `${name}: set up`;
    return `${name}: ${state.type}${'reason' in state ? `: ${state.reason}` : ''}`;
  });
  const says = told.join('\n');
  if (states.some(({ type }) => type === 'failed')) throw new Error(says);
  return says;
}
