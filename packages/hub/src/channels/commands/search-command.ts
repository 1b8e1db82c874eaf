import { plainLine } from '../note-text.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';
import { numberButtons } from './sessions-command.ts';

const MOST = 5;
const QUERY_CHARS = 500;

/** Finds what was said in any session, with a button to each. */
export async function searchCommand(talk: Talk, args: string): Promise<Reply> {
  if (args === '') return expected(talk, 'search');
  const words = COMMAND_WORDS[talk.language];
  const hits = await talk.acts.search({ q: args.slice(0, QUERY_CHARS), limit: MOST });
  const wanted = plainLine(args, 60);
  if (hits.length === 0) return say(words.notFound(wanted));
  const lines = hits.map(
    ({ sessionTitle, excerpt }, index) =>
      `${index + 1}. **${plainLine(sessionTitle, 60)}**: ${plainLine(excerpt, 200)}`,
  );
  const buttons = numberButtons(
    hits.map(({ sessionId }, index) => ({ number: index + 1, text: `/switch ${sessionId}` })),
  );
  return say(`${words.found(wanted)}\n\n${lines.join('\n')}`, buttons);
}
