import { awayLine } from '../people/away-line.ts';
import { plainLine } from '../note-text.ts';
import { consoleLink } from '../people/console-link.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';
import { followedSession, noSession } from './followed-session.ts';

/** Says which session the chat shows, where it works, and how it is. */
export async function statusCommand(talk: Talk, args: string): Promise<Reply> {
  if (args !== '') return expected(talk, 'status');
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  const words = COMMAND_WORDS[talk.language];
  const of = words.statusOf;
  const { parts } = talk.ears;
  const { away, model, mode, queued, waitingApprovals, inputTokens, outputTokens, costUsd } = session;
  const runner = await parts.db
    .selectFrom('hub_runners')
    .select('name')
    .where('id', '=', session.runnerId)
    .executeTakeFirst();
  const machine = plainLine(runner?.name ?? session.runnerId, 60);
  const link = consoleLink(parts, `/sessions/${session.id}`);
  const count = (tokens: number) => tokens.toLocaleString('en-US');
  const lines = [
    words.status[session.status],
    ...(away === undefined ? [] : [awayLine(talk, away, { isRunning: session.turnId !== undefined })]),
    ...(model === undefined ? [] : [of.model(plainLine(model, 60))]),
    ...(mode === undefined ? [] : [of.mode(plainLine(mode, 60))]),
    ...(queued === 0 ? [] : [of.queued(queued)]),
    ...(waitingApprovals === 0 ? [] : [of.waiting(waitingApprovals)]),
    ...(inputTokens + outputTokens === 0 ? [] : [of.tokens(count(inputTokens), count(outputTokens))]),
    ...(costUsd === 0 ? [] : [of.cost(costUsd.toFixed(costUsd < 0.1 ? 4 : 2))]),
  ];
  return say(
    [
      `**${plainLine(session.title, 80)}**`,
      of.where(plainLine(session.agent, 60), plainLine(session.folder, 120), machine),
      lines.map((line) => `- ${line}`).join('\n'),
      ...(link === undefined ? [] : [words.open(link)]),
    ].join('\n\n'),
  );
}
