import type {
  HubEventOf,
  NumberedCommand,
  PromptBlock,
  RunnerCommand,
  RunnerSync,
  UnbegunTurn,
} from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionRow } from '../log/session-change.ts';
import { inlineContent } from '../attachments/inline-content.ts';
import { readView } from '../sessions/read-view.ts';
import { tellConversation } from '../sessions/tell-conversation.ts';
import { type StoredCommand, toSessionSpec } from './give-command.ts';

const PAGE = 50;

/** The next commands of a runner after a number, each with its session as it is now. */
export async function readCommands(parts: HubParts, runnerId: string, after: number): Promise<NumberedCommand[]> {
  const { db } = parts;
  const rows = await db
    .selectFrom('hub_commands')
    .selectAll()
    .where('runner_id', '=', runnerId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(PAGE)
    .execute();
  if (rows.length === 0) return [];
  const sessions = await db
    .selectFrom('hub_sessions')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map((row) => row.session_id))])
    .execute();
  const byId = new Map<string, SessionRow>(sessions.map((session) => [session.id, session]));

  const commands: NumberedCommand[] = [];
  for (const { number, session_id, command_json } of rows) {
    const stored = JSON.parse(command_json) as StoredCommand;
    const session = byId.get(session_id);
    commands.push({
      number,
      session: session === undefined ? stored.session : toSessionSpec(session),
      command: await withPrompt(parts, session_id, stored.command, session?.moved_seq ?? null),
    });
  }
  return commands;
}

/** What the hub believes to be going on at a runner. */
export async function readSync(parts: HubParts, runnerId: string): Promise<RunnerSync> {
  const { db } = parts;
  const { handled, commanded } = await db
    .selectFrom('hub_runners')
    .select(['handled', 'commanded'])
    .where('id', '=', runnerId)
    .executeTakeFirstOrThrow();
  const open = await db
    .selectFrom('hub_sessions')
    .selectAll()
    .select((row) => [
      row
        .selectFrom('hub_events')
        .select('at')
        .whereRef('session_id', '=', 'hub_sessions.id')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('last_at'),
    ])
    .where('runner_id', '=', runnerId)
    .where((row) => row.or([row('turn_id', 'is not', null), row('waiting', '>', 0)]))
    .orderBy('id')
    .execute();
  const waiting = await db
    .selectFrom('hub_approvals')
    .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_approvals.session_id')
    .select(['hub_approvals.session_id', 'hub_approvals.id'])
    .where('hub_sessions.runner_id', '=', runnerId)
    .where('hub_approvals.state', '=', 'waiting')
    .orderBy('hub_approvals.asked_at')
    .execute();
  const told: RunnerSync['open'][number][] = [];
  for (const session of open) {
    const { id, turn_id, last_at } = session;
    const unbegun = await findUnbegun(parts, session);
    told.push({
      sessionId: id,
      ...(turn_id !== null && { turnId: turn_id }),
      approvalIds: waiting.filter(({ session_id }) => session_id === id).map((approval) => approval.id),
      ...(last_at !== null && { lastAt: Number(last_at) }),
      ...(unbegun && { unbegun }),
    });
  }
  return { handled, commanded, open: told };
}

/** A runner tells that the agent is ready before it gives it a prompt, so without that word nobody has begun. */
async function findUnbegun(parts: HubParts, session: SessionRow): Promise<UnbegunTurn | undefined> {
  if (session.turn_id === null || session.agent_state !== 'starting') return undefined;
  const row = await parts.db
    .selectFrom('hub_events')
    .select('event')
    .where('session_id', '=', session.id)
    .where('block_id', 'is', null)
    .where('event', 'like', '{"type":"turn-started"%')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const started = row === undefined ? undefined : (JSON.parse(row.event) as HubEventOf<'turn-started'>);
  if (started?.turnId !== session.turn_id || started.promptId === undefined) return undefined;
  const prompt = await readPrompt(parts, session.id, { id: started.promptId, movedSeq: session.moved_seq });
  return { session: toSessionSpec(session), prompt };
}

async function withPrompt(
  parts: HubParts,
  sessionId: string,
  command: StoredCommand['command'],
  movedSeq: number | null,
): Promise<StoredCommand['command']> {
  if (command.type !== 'prompt' && command.type !== 'steer') return command;
  return { ...command, prompt: await readPrompt(parts, sessionId, { id: command.prompt.id, movedSeq }) };
}

type StoredPrompt = Extract<RunnerCommand, { type: 'prompt' }>['prompt'];

async function readPrompt(
  parts: HubParts,
  sessionId: string,
  { id, movedSeq }: { id: string; movedSeq: number | null },
): Promise<StoredPrompt> {
  const { db, promptTraces } = parts;

  const row = await db
    .selectFrom('hub_prompts')
    .select('content_json')
    .where('session_id', '=', sessionId)
    .where('id', '=', id)
    .executeTakeFirst();
  const content = row === undefined ? [] : (JSON.parse(row.content_json) as PromptBlock[]);
  const trace = promptTraces.of(sessionId, id);
  const history = movedSeq === null ? undefined : await readHistory(parts, sessionId);
  const told = { ...(history !== undefined && { history }), ...(trace && { trace }) };
  return { id, content: await inlineContent(db, content), ...told };
}

/** What was said before, for an agent on another machine than the one it was said to. */
async function readHistory(parts: HubParts, sessionId: string): Promise<string | undefined> {
  try {
    return tellConversation(await readView(parts, sessionId, NEVER));
  } catch (err) {
    parts.logger.warn({ err, sessionId }, 'the conversation of a session that moved could not be read');
    return undefined;
  }
}

const NEVER = new AbortController().signal;
