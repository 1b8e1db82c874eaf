import type { HubRunner } from '@dragoman/protocol';
import type { Talk } from '../people/talk.ts';
import type { Taker } from '../people/read-attached.ts';

/** An agent, and where it can work. */
export interface KnownPlace {
  agent: string;
  folder: string;
  runnerId: string;
  machine: string;
  taker: Taker;
}

/** So far back a person's own sessions are looked at. */
const PAST = 50;
/** The home folder of a machine that lets agents work anywhere. */
const HOME = '~';

/** Where this person let an agent work last, if it still can be. */
export async function lastPlace(talk: Talk): Promise<KnownPlace | undefined> {
  return (await pastPlaces(talk, await talk.acts.usableRunners()))[0];
}

/** Every agent that this person may use: first where they worked, the latest first, then what else machines offer. */
export async function knownPlaces(talk: Talk): Promise<KnownPlace[]> {
  const runners = await talk.acts.usableRunners();
  const past = await pastPlaces(talk, runners);
  const offered = runners
    .toSorted((one, other) => Number(other.isConnected) - Number(one.isConnected))
    .flatMap((runner) => offeredBy(runner, past));
  return distinct([...past, ...offered]);
}

async function pastPlaces({ acts }: Talk, runners: readonly HubRunner[]): Promise<KnownPlace[]> {
  const places = (await acts.pastPlaces(PAST)).flatMap(({ agent, runnerId, folder }) => {
    const runner = runners.find(({ id }) => id === runnerId);
    const offer = runner?.agents.find(({ name, problem }) => name === agent && problem === undefined);
    if (runner === undefined || offer === undefined) return [];
    return [{ agent, folder, runnerId, machine: runner.name, taker: { agent, capabilities: offer.capabilities } }];
  });
  return distinct(places);
}

function offeredBy(runner: HubRunner, past: readonly KnownPlace[]): KnownPlace[] {
  const used = past.filter(({ runnerId }) => runnerId === runner.id).map(({ folder }) => folder);
  const folders = runner.folders.length > 0 ? runner.folders : used.length > 0 ? used.slice(0, 1) : [HOME];
  return (
    runner.agents
      .filter(({ problem }) => problem === undefined)
      // Whoever names none gets one that acts and asks before it does; of equals the one that its machine told first.
      .toSorted((one, other) => Number(asksFirst(other)) - Number(asksFirst(one)))
      .flatMap(({ name, capabilities }) =>
        folders.map((folder) => ({
          agent: name,
          folder,
          runnerId: runner.id,
          machine: runner.name,
          taker: { agent: name, capabilities },
        })),
      )
  );
}

function asksFirst({ capabilities }: HubRunner['agents'][number]): boolean {
  return capabilities.approvals === true;
}

/** Each place once, where it came first. */
function distinct(places: readonly KnownPlace[]): KnownPlace[] {
  const seen = new Set<string>();
  return places.filter(({ agent, runnerId, folder }) => {
    const key = JSON.stringify([agent, runnerId, folder]);
    return !seen.has(key) && seen.add(key);
  });
}
