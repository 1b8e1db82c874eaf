import { DragomanError, type HubSession } from '@dragoman/protocol';
import { plainLine } from '../note-text.ts';
import { consoleLink } from '../people/console-link.ts';
import { whyReadOnly } from '../people/machine-barred.ts';
import { showSession } from '../people/show-session.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { lastList } from './last-list.ts';
import { listSessionsAs, sessionLine, sessionsCommand, sessionsNamed } from './sessions-command.ts';

const MOST = 8;

/** Shows another session in the chat: by its number in the last list, by a part of its title, or by its id. */
export async function switchCommand(talk: Talk, args: string): Promise<Reply> {
  if (args === '') return sessionsCommand(talk, '');
  const words = COMMAND_WORDS[talk.language];
  const wanted = plainLine(args, 60);
  if (/^\d{1,4}$/.test(args)) {
    const id = (await lastList(talk, '/switch')).get(String(Number(args)));
    const session = id === undefined ? undefined : await sessionWithId(talk, id);
    return session === undefined ? say(words.notInList(args)) : switchTo(talk, session);
  }
  const byId = await sessionWithId(talk, args);
  if (byId !== undefined) return switchTo(talk, byId);
  const found = await sessionsNamed(talk, args);
  if (found.length === 0) return say(words.noneNamed(wanted));
  const exact = found.filter(({ title }) => title.toLowerCase() === args.toLowerCase());
  if (found.length === 1 || exact.length === 1) return switchTo(talk, exact[0] ?? found[0]!);
  return listSessionsAs(talk, words.severalNamed(wanted), found.slice(0, MOST));
}

async function switchTo(talk: Talk, session: HubSession): Promise<Reply> {
  await showSession(talk, session.id);
  const words = COMMAND_WORDS[talk.language];
  const link = consoleLink(talk.ears.parts, `/sessions/${session.id}`);
  const readOnly = await whyReadOnly(talk, session.runnerId);
  const lines = [
    words.nowHere(plainLine(session.title, 80)),
    sessionLine(session, talk.language).replace(/^\*\*.*?\*\* · /s, ''),
    ...(session.lastText === '' ? [] : [`> ${plainLine(session.lastText, 200)}`]),
    ...(readOnly === undefined ? [] : [readOnly]),
    ...(link === undefined ? [] : [words.open(link)]),
  ];
  return { ...say(lines.join('\n\n')), line: session.title.slice(0, 100) };
}

async function sessionWithId({ acts }: Talk, id: string): Promise<HubSession | undefined> {
  if (!/^ses_[0-9a-z]{26}$/.test(id)) return undefined;
  try {
    return await acts.getSession(id);
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'not-found') return undefined;
    throw error;
  }
}
