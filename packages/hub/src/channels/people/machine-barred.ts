import { plainLine } from '../note-text.ts';
import { RoleError } from './act-as.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Talk } from './talk.ts';

const MOST = 3;

/** What somebody is told who may read what happens on a machine, and no more. Nothing where they may act. */
export async function whyReadOnly({ acts, language }: Talk, runnerId: string): Promise<string | undefined> {
  const words = PEOPLE_WORDS[language];
  const barred = (await acts.barredRunners()).find(({ id }) => id === runnerId);
  return barred && `${words.readOnly} ${words.machineOwn(plainLine(barred.name, 60), plainLine(barred.owner, 60))}`;
}

/** What somebody is told who may use no machine: whose there are, and how to have one. */
export async function whyNoPlace({ acts, language }: Talk): Promise<string> {
  const words = PEOPLE_WORDS[language];
  const barred = (await acts.barredRunners()).slice(0, MOST);
  const own = barred.map(({ name, owner }) => words.machineOwn(plainLine(name, 60), plainLine(owner, 60)));
  return [words.noPlace, ...own, words.connectMachine].join(' ');
}

/** Whether a person can start a session anywhere; nobody is offered what is refused. */
export async function canStart({ acts }: Talk): Promise<boolean> {
  try {
    return (await acts.usableRunners()).length > 0;
  } catch (error) {
    if (error instanceof RoleError) return false;
    throw error;
  }
}
