import type { Note } from '../note.ts';
import type { Talk } from '../people/talk.ts';
import { type KnownPlace, knownPlaces } from './known-places.ts';

const MOST = 8;
const LABEL_CHARS = 40;

/** Buttons that start a session, each with an agent and a place, and with what should be done first. Nothing where there is nothing to choose. */
export async function offerPlaces(talk: Talk, prompt = ''): Promise<Note['buttons'] | undefined> {
  const places = (await knownPlaces(talk)).slice(0, MOST);
  if (places.length === 0) return undefined;
  const hasMachines = new Set(places.map(({ runnerId }) => runnerId)).size > 1;
  return places.map((place) => [
    { label: labelOf(place, hasMachines), action: { type: 'command', text: newCommand(place, prompt) } },
  ]);
}

/** The command that starts a session at a place. */
export function newCommand({ agent, folder, runnerId }: KnownPlace, prompt = ''): string {
  const command = `/new ${word(agent)} ${word(folder)} @${word(runnerId)}`;
  return prompt.trim() === '' ? command : `${command}\n${prompt}`;
}

function word(text: string): string {
  return /^[^\s"“”\\]+$/.test(text) ? text : JSON.stringify(text);
}

function labelOf({ agent, folder, machine }: KnownPlace, hasMachines: boolean): string {
  const label = [agent, lastName(folder), ...(hasMachines ? [machine] : [])].join(' · ');
  return label.length <= LABEL_CHARS ? label : `${label.slice(0, LABEL_CHARS - 1).toWellFormed()}…`;
}

function lastName(folder: string): string {
  return folder.split(/[\\/]/).findLast((name) => name !== '') ?? folder;
}
