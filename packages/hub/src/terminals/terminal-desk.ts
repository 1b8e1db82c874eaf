import {
  type Actor,
  type BackendCapabilities,
  DragomanError,
  type HubSessionInfo,
  isTerminalRunner,
  titleOfWords,
} from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import { decideApproval, type DecisionBody } from '../approvals/decide-approval.ts';
import type { HubParts } from '../hub-parts.ts';
import { sendPrompt } from '../inbox/send-prompt.ts';
import type { SessionRow } from '../log/session-change.ts';
import { changeRunner } from '../sessions/change-runner.ts';
import { removeSession } from '../sessions/close-session.ts';
import { findSession } from '../sessions/find-session.ts';
import { toActor } from '../sessions/to-actor.ts';

/** A session of the native agent that a terminal works on. */
interface TerminalSession {
  /** What the agent calls it, which is its id here where it began in a terminal. */
  agentSessionId: string;
  agent: string;
  folder: string;
  /** The first words, for a title. */
  words: string;
  capabilities: BackendCapabilities;
  /** The agent's session that it began with, of which it knows everything. */
  forkOf?: string | undefined;
  /** What it works with now, which may be others than before. */
  model: string;
  mode: string;
  /** The runner of the terminal, and that of the server on the same machine. */
  runnerId: string;
  homeRunnerId: string;
}

/** What somebody at a terminal does in sessions, by the same ways as everybody else. */
export interface TerminalDesk {
  /** The id of the agent's session, by its own id or by the one it has here. */
  find(id: string): Promise<{ agentSessionId: string } | undefined>;
  /** Takes a session from where it is, unless something goes on there, so that its agent lets go of it. */
  claim(agentSessionId: string, to: { runnerId: string; home: HomeRunner }): Promise<void>;
  /** Makes the session known where it is not, and works on it from now on. Returns its id here. */
  take(session: TerminalSession): Promise<string>;
  prompt(sessionId: string, prompt: { id: string; text: string }): Promise<void>;
  answer(sessionId: string, approvalId: string, answer: DecisionBody): Promise<void>;
  /** Who answered a question; nothing while it waits. */
  answeredBy(sessionId: string, approvalId: string): Promise<Actor | undefined>;
  /** Resolves when no turn runs in the session and no prompt waits. */
  idle(sessionId: string): Promise<void>;
  /** Forgets a session, where it is known here. */
  remove(agentSessionId: string): Promise<void>;
  /** Leaves a session to the server's runner. */
  giveBack(sessionId: string, homeRunnerId: string): Promise<void>;
}

const CHANNEL = 'terminal';

/** The server's own runner, and whether anybody works on its sessions: the server, or agents that one left at work. */
interface HomeRunner {
  id: string;
  isThere: boolean;
}

/** The hub for who works in a terminal of this machine. */
export function terminalDesk(parts: HubParts, caller: Caller): TerminalDesk {
  const findRow = (id: string): Promise<SessionRow | undefined> =>
    parts.db
      .selectFrom('hub_sessions')
      .selectAll()
      .where((row) => row.or([row('id', '=', id), row('agent_session_id', '=', id)]))
      .orderBy('created_at')
      .executeTakeFirst();
  return {
    async find(id) {
      const row = await findRow(id);
      return row === undefined || row.agent_session_id === null ? undefined : { agentSessionId: row.agent_session_id };
    },
    async claim(agentSessionId, { runnerId, home }) {
      const known = await findRow(agentSessionId);
      if (known === undefined) return;
      await parts.log.change(known.id, async (change) => {
        const { session } = change;
        if ((await isAnybodyThere(parts, session.runner_id, home)) && (session.turn_id !== null || session.queued > 0))
          throw new DragomanError(
            'conflict',
            `Session ${session.id} is running elsewhere. Wait for it, or stop it in the console.`,
          );
        if (session.runner_id !== runnerId) await changeRunner(parts, change, { runnerId });
      });
    },
    async take(session) {
      const { agentSessionId, agent, folder, words, capabilities, model, mode, runnerId, homeRunnerId } = session;
      const known = await findRow(agentSessionId);
      if (known !== undefined) {
        await parts.log.change(known.id, (change) => change.set({ model, mode }));
        return known.id;
      }
      const source = session.forkOf === undefined ? undefined : await findRow(session.forkOf);
      const info: HubSessionInfo = {
        id: agentSessionId,
        title: source?.title ?? (titleOfWords(words) || agent),
        agent,
        runnerId: homeRunnerId,
        folder,
        ...(source && { forkedFrom: { sessionId: source.id, seq: source.seq } }),
        by: toActor(caller, CHANNEL),
      };
      await parts.log.create(info, {
        byUserId: caller.userId,
        at: parts.now(),
        work: async (change) => {
          if (source !== undefined) await parts.log.copy({ sessionId: source.id, throughSeq: source.seq }, change);
          await change.set({
            runner_id: runnerId,
            agent_session_id: agentSessionId,
            cwd: folder,
            model,
            mode,
            capabilities_json: JSON.stringify(capabilities),
          });
        },
      });
      return agentSessionId;
    },
    async prompt(sessionId, { id, text }) {
      await sendPrompt(parts, caller, sessionId, { id, text, channel: CHANNEL });
    },
    async answer(sessionId, approvalId, answer) {
      await decideApproval(parts, caller, { sessionId, approvalId }, { ...answer, channel: CHANNEL });
    },
    async answeredBy(sessionId, approvalId) {
      const row = await parts.db
        .selectFrom('hub_approvals')
        .select('by_json')
        .where('session_id', '=', sessionId)
        .where('id', '=', approvalId)
        .executeTakeFirst();
      return typeof row?.by_json === 'string' ? (JSON.parse(row.by_json) as Actor) : undefined;
    },
    async idle(sessionId) {
      const look = async () => {
        const { turn_id: turnId, queued } = await findSession(parts, sessionId);
        return turnId === null && queued === 0;
      };
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = () => look().then((isIdle) => (isIdle ? resolve() : undefined), reject);
      const unhear = parts.feed.hear('changes', () => void check());
      void check();
      return promise.finally(unhear);
    },
    async remove(agentSessionId) {
      const known = await findRow(agentSessionId);
      if (known !== undefined) await removeSession(parts, caller, known.id);
    },
    async giveBack(sessionId, homeRunnerId) {
      const known = await findRow(sessionId);
      if (known === undefined) return;
      await parts.log.change(known.id, async (change) => {
        if (change.session.runner_id === homeRunnerId) return;
        await changeRunner(parts, change, { runnerId: homeRunnerId });
      });
    },
  };
}

/** Whether anybody works where a session is. With SQLite whatever is no terminal is at home, and its row tells nothing. */
async function isAnybodyThere(
  { db, engine, presence }: HubParts,
  runnerId: string,
  { id: homeId, isThere }: HomeRunner,
): Promise<boolean> {
  const isHome = runnerId === homeId || (engine === 'sqlite' && !isTerminalRunner(runnerId));
  if (isHome && (isThere || engine === 'sqlite')) return isThere;
  const runner = await db
    .selectFrom('hub_runners')
    .select(['id', 'last_seen_at', 'connected_to'])
    .where('id', '=', runnerId)
    .executeTakeFirst();
  return runner !== undefined && presence.isConnected(runner);
}
