import type { HubRunner, HubSession } from '@dragoman/protocol';
import { plainLine } from '../note-text.ts';
import type { Note } from '../note.ts';
import { whyReadOnly } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';
import { followedSession, noSession } from './followed-session.ts';
import { parseNew } from './parse-new.ts';

const MOST = 8;
const LABEL_CHARS = 40;

/** Lists the connected machines that offer the agent of the session, or moves the session to one of them. */
export async function moveCommand(talk: Talk, args: string): Promise<Reply> {
  const { acts, language } = talk;
  const words = COMMAND_WORDS[language];
  await acts.check('moveSession');
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  const readOnly = await whyReadOnly(talk, session.runnerId);
  if (readOnly !== undefined) return { ...say(readOnly), line: readOnly, isRefused: true };
  const agent = plainLine(session.agent, 60);
  const runners = (await acts.usableRunners()).filter((runner) => mayTake(runner, session));
  if (runners.length === 0) return say(words.moveNowhere(agent));
  const read = parseNew(args, new Set(runners.map((runner) => runner.name.toLowerCase())));
  // A machine may be written with or without its @, and a name of several words without quotes.
  const [name = '', ...others] = [read.machine, read.agent, read.prompt || undefined].filter(
    (each) => each !== undefined,
  );
  if (others.length > 0 || (name === '' && read.folder !== undefined)) return expected(talk, 'move');
  if (name === '') return say(words.moveWhere(agent), toButtons(runners));
  const runner = runners.find(({ id }) => id === name) ?? runners.find((one) => isCalled(one, name));
  if (runner === undefined) {
    const names = runners.map((one) => plainLine(one.name, 40)).join(', ');
    return say(words.noMachineFor(plainLine(name, 60), agent, names), toButtons(runners));
  }
  if (session.turnId !== undefined && session.away === undefined) return say(words.stopFirst);
  const { folder } = read;
  const moved = await acts.moveSession(session.id, { runnerId: runner.id, ...(folder !== undefined && { folder }) });
  return say(words.moved(plainLine(runner.name, 60), plainLine(moved.folder, 120)));
}

function mayTake({ id, isConnected, agents }: HubRunner, { runnerId, agent }: HubSession): boolean {
  return id !== runnerId && isConnected && agents.some(({ name, problem }) => name === agent && problem === undefined);
}

function isCalled(runner: HubRunner, name: string): boolean {
  return runner.name.toLowerCase() === name.toLowerCase();
}

function toButtons(runners: readonly HubRunner[]): Note['buttons'] {
  return runners
    .slice(0, MOST)
    .map(({ id, name }) => [
      { label: name.slice(0, LABEL_CHARS).toWellFormed(), action: { type: 'command', text: `/move @${id}` } },
    ]);
}
