import type { Choice, HubSession } from '@dragoman/protocol';
import { nearestWords } from '@dragoman/server/base';
import { agentNews } from '../../sessions/agent-news.ts';
import { plainLine } from '../note-text.ts';
import type { Note } from '../note.ts';
import { whyReadOnly } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { followedSession, noSession } from './followed-session.ts';

type Setting = 'model' | 'mode';

const MOST = 20;
const LABEL_CHARS = 40;
const NEAR = 3;

/** Shows the model of the session and those there are, or changes it. */
export function modelCommand(talk: Talk, args: string): Promise<Reply> {
  return settingCommand(talk, 'model', args);
}

/** Shows the mode of the session and those there are, or changes it. */
export function modeCommand(talk: Talk, args: string): Promise<Reply> {
  return settingCommand(talk, 'mode', args);
}

async function settingCommand(talk: Talk, setting: Setting, args: string): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language].setting[setting];
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  if (session.capabilities[`${setting}s`] !== true) return say(words.none);
  const choices = (await agentNews(talk.ears.parts.db, session.id, `${setting}s`)) ?? [];
  if (args === '') {
    const current = choices.find(({ id }) => id === session[setting]);
    const name = current === undefined ? session[setting] : nameOf(current);
    const text = words.current(name === undefined ? words.byDefault : plainLine(name, 60));
    const readOnly = await whyReadOnly(talk, session.runnerId);
    return readOnly === undefined ? say(text, toButtons(setting, choices, session)) : say(`${text} ${readOnly}`);
  }
  await talk.acts.check('updateSession');
  const readOnly = await whyReadOnly(talk, session.runnerId);
  if (readOnly !== undefined) return { ...say(readOnly), line: readOnly, isRefused: true };
  const found = findChoice(choices, args);
  // An agent that does not say what it has may take any name.
  if (found === undefined && choices.length > 0) {
    const near = nearChoices(choices, args).map((choice) => `**${plainLine(nameOf(choice), 60)}**`);
    return say(words.unknown(plainLine(args, 60), near.join(', ')), toButtons(setting, choices, session));
  }
  await talk.acts.updateSession(session.id, { [setting]: found?.id ?? args });
  const text = words.set(plainLine(found === undefined ? args : nameOf(found), 60));
  return { ...say(text), line: found === undefined ? args : nameOf(found) };
}

/** By id or name, else by a part of either that only one has. */
function findChoice(choices: readonly Choice[], wanted: string): Choice | undefined {
  const word = wanted.toLowerCase();
  const exact = choices.find(({ id, name }) => id.toLowerCase() === word || name?.toLowerCase() === word);
  if (exact !== undefined) return exact;
  const partly = choices.filter(({ id, name = '' }) => `${id}\n${name}`.toLowerCase().includes(word));
  return partly.length === 1 ? partly[0] : undefined;
}

/** Those that were probably meant: what has the word in it, else what is written much like it. */
function nearChoices(choices: readonly Choice[], wanted: string): Choice[] {
  const word = wanted.toLowerCase();
  const partly = choices.filter(({ id, name = '' }) => `${id}\n${name}`.toLowerCase().includes(word));
  if (partly.length > 0) return partly.slice(0, NEAR);
  const names = new Map(
    choices.flatMap((choice) => [choice.id, nameOf(choice)].map((name) => [name, choice] as const)),
  );
  return [...new Set(nearestWords(wanted, names.keys(), NEAR).map((name) => names.get(name)!))];
}

function toButtons(setting: Setting, choices: readonly Choice[], session: HubSession): Note['buttons'] {
  return choices.slice(0, MOST).map((choice) => [
    {
      label: `${choice.id === session[setting] ? '✓ ' : ''}${nameOf(choice).slice(0, LABEL_CHARS).toWellFormed()}`,
      action: { type: 'command', text: `/${setting} ${choice.id}` },
    },
  ]);
}

function nameOf({ id, name }: Choice): string {
  return name ?? id;
}
