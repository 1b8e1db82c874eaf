import type { HubSession } from '@dragoman/protocol';
import type { Language } from '../channel.ts';
import { plainLine } from '../note-text.ts';
import type { Note } from '../note.ts';
import { canStart } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';

const PAGE = 8;
const MAX_PAGE = 20;
const LOOKED_AT = 200;
const BUTTONS_IN_ROW = 4;

/** Lists the sessions, a page of them or those with some words in their titles. */
export async function sessionsCommand(talk: Talk, args: string): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  if (args !== '' && !/^\d+$/.test(args)) {
    const found = await sessionsNamed(talk, args);
    if (found.length === 0) return say(words.noneNamed(plainLine(args, 60)));
    return listSessionsAs(talk, words.sessionsNamed(plainLine(args, 60)), found.slice(0, PAGE));
  }
  const page = args === '' ? 1 : Number(args);
  if (page < 1 || page > MAX_PAGE) return expected(talk, 'sessions');
  const { sessions } = await talk.acts.listSessions({ archived: false, limit: Math.min(page * PAGE + 1, LOOKED_AT) });
  const shown = sessions.slice((page - 1) * PAGE, page * PAGE);
  if (shown.length === 0) return say(words.noSessions);
  const hasMore = sessions.length > page * PAGE && page < MAX_PAGE;
  return listSessionsAs(talk, words.sessions, shown, {
    first: (page - 1) * PAGE + 1,
    ...(hasMore && { nextPage: page + 1 }),
  });
}

/** Sessions with some words in their titles, the latest first. */
export async function sessionsNamed({ acts }: Talk, part: string): Promise<HubSession[]> {
  const wanted = part.toLowerCase();
  const { sessions } = await acts.listSessions({ archived: false, limit: LOOKED_AT });
  return sessions.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/** A list with a number and a button for each session. */
export async function listSessionsAs(
  talk: Talk,
  heading: string,
  sessions: readonly HubSession[],
  { first = 1, nextPage }: { first?: number; nextPage?: number } = {},
): Promise<Reply> {
  const { language, chat } = talk;
  const words = COMMAND_WORDS[language];
  const lines = sessions.map((session, index) => {
    const here = session.id === chat.session_id ? ` · **${words.here}**` : '';
    return `${first + index}. ${sessionLine(session, language)}${here}`;
  });
  const more =
    nextPage === undefined
      ? []
      : [{ label: words.more, action: { type: 'command' as const, text: `/sessions ${nextPage}` } }];
  const create = (await canStart(talk)) ? [newSessionButton(language)] : [];
  const further = [...more, ...create];
  return say(`${heading}\n\n${lines.join('\n')}`, [
    ...numberButtons(sessions.map(({ id }, index) => ({ number: first + index, text: `/switch ${id}` }))),
    ...(further.length === 0 ? [] : [further]),
  ]);
}

/** The button that offers places for a new session. */
export function newSessionButton(language: Language) {
  return { label: COMMAND_WORDS[language].newSession, action: { type: 'command' as const, text: '/new' } };
}

/** A session in a line: its title, how it is, and where. */
export function sessionLine({ title, status, agent, folder }: HubSession, language: Language): string {
  const where = folder.split(/[\\/]/).findLast((name) => name !== '') ?? folder;
  return [
    `**${plainLine(title, 60)}**`,
    COMMAND_WORDS[language].status[status],
    plainLine(agent, 30),
    plainLine(where, 30),
  ].join(' · ');
}

/** Buttons with nothing but numbers, a few in each row. */
export function numberButtons(list: readonly { number: number; text: string }[]): NonNullable<Note['buttons']> {
  const rows = [];
  for (let index = 0; index < list.length; index += BUTTONS_IN_ROW)
    rows.push(
      list
        .slice(index, index + BUTTONS_IN_ROW)
        .map(({ number, text }) => ({ label: String(number), action: { type: 'command' as const, text } })),
    );
  return rows;
}
