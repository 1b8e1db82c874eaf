import { DragomanError } from '@dragoman/protocol';
import { MachineGoneError } from '../../runners/away-machine.ts';
import { awayText } from '../away-words.ts';
import type { Language } from '../channel.ts';
import { plainLine } from '../note-text.ts';
import { RoleError } from './act-as.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Reply } from './talk.ts';

/** What a person is told when something did not work; nothing for what is no failure that people can be told of. */
export function explainFailure(error: unknown, language: Language): Reply | undefined {
  const words = PEOPLE_WORDS[language];
  if (error instanceof RoleError) return refuse(words.needsRole(words.roles[error.needed]));
  if (error instanceof MachineGoneError) {
    const told = (machine: string) =>
      words.failed(awayText({ ...error.away, machine }, language, { isRunning: false }));
    const { machine } = error.away;
    return { notes: [{ text: told(plainLine(machine, 60)) }], line: told(machine.slice(0, 60)), isRefused: true };
  }
  if (!(error instanceof DragomanError) || error.code === 'cancelled') return undefined;
  if (error.code === 'unauthenticated') return refuse(words.nobody);
  const reason = error.message.slice(0, 500);
  return { notes: [{ text: words.failed(plainLine(reason, 500)) }], line: words.failed(reason), isRefused: true };
}

function refuse(text: string): Reply {
  return { notes: [{ text }], line: text, isRefused: true };
}
