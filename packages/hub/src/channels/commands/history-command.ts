import { plainMarkdown, type SessionView } from '@dragoman/protocol';
import { plainLine } from '../note-text.ts';
import { consoleLink } from '../people/console-link.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS, type CommandWords } from './command-words.ts';
import { expected } from './expected.ts';
import { followedSession, noSession } from './followed-session.ts';

const DEFAULT = 3;
const MOST = 10;
const PROMPT_CHARS = 200;
const ANSWER_CHARS = 400;

/** Shows the last prompts of the session, and what was answered, both shortened. */
export async function historyCommand(talk: Talk, args: string): Promise<Reply> {
  const count = args === '' ? DEFAULT : /^\d{1,2}$/.test(args) ? Number(args) : 0;
  if (count < 1 || count > MOST) return expected(talk, 'history');
  const words = COMMAND_WORDS[talk.language];
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  const view = await talk.acts.readView(session.id);
  const exchanges = exchangesOf(view).slice(-count);
  if (exchanges.length === 0) return say(words.historyEmpty);
  const link = consoleLink(talk.ears.parts, `/sessions/${session.id}`);
  const pieces = exchanges.map((exchange) => {
    const { by, prompt } = exchange;
    const asked = `**${plainLine(by, 40)}:** ${plainLine(prompt || words.attachmentOnly, PROMPT_CHARS)}`;
    return `${asked}\n\n> ${answerOf(exchange, view, words)}`;
  });
  return say(
    [words.history(plainLine(session.title, 80)), ...pieces, ...(link === undefined ? [] : [words.open(link)])].join(
      '\n\n',
    ),
  );
}

interface Exchange {
  by: string;
  prompt: string;
  answer: string;
  turnId: string | undefined;
}

/** Each prompt with the last that was said until the next one. */
function exchangesOf({ messages }: SessionView): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const { role, by, blocks, turnId } of messages) {
    const texts = blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : []));
    if (role === 'user' && by !== undefined)
      exchanges.push({ by: by.type === 'user' ? by.name : by.type, prompt: texts.join(' '), answer: '', turnId });
    const last = exchanges.at(-1);
    if (role !== 'assistant' || last === undefined) continue;
    last.answer = texts.at(-1) ?? last.answer;
    last.turnId = turnId ?? last.turnId;
  }
  return exchanges;
}

/** What was answered, and how that ended where it was not simply done. */
function answerOf({ answer, turnId }: Exchange, { turns }: SessionView, words: CommandWords): string {
  const reason = turns.find(({ id }) => id === turnId)?.reason;
  const said = plainLine(plainMarkdown(answer), ANSWER_CHARS);
  if (reason === undefined) return said === '' ? plainLine(words.noAnswer) : said;
  if (reason === 'done') return said === '' ? plainLine(words.noWords) : said;
  return [said, plainLine(words.ended[reason])].filter((piece) => piece !== '').join(' ');
}
