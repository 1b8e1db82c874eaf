import { setTimeout as delay } from 'node:timers/promises';
import {
  createHubClient,
  DragomanError,
  foldHubEvents,
  type HubClient,
  type LoggedHubEvent,
  newId,
  type SessionView,
} from '@dragoman/protocol';
import { onTestFinished } from 'vitest';
import { wholeLog } from '../two-hubs.fixture.ts';
import { agentNotes, type CountingPrompt } from './noting-agent.fixture.ts';
import type { HubAndRunner, Machine } from './hub-and-runner.fixture.ts';

/** How long something may take that has to happen sooner or later. */
const PATIENCE_MS = 90_000;

/** A session of the counting agent, the people in it, and a reader that follows all of it through every fault. */
export class FollowedSession {
  readonly id: string;
  readonly folder: string;
  /** What the hub said it has. */
  readonly accepted: string[] = [];
  /** Answers to approvals that the hub took, as `approvalId optionId`. */
  readonly counted: string[] = [];
  /** What the reader saw at some moments. */
  readonly moments: SessionView[] = [];
  view: SessionView | undefined;
  /** Whether people answer approvals; else they wait. */
  isAnswered = true;
  readonly #client: HubClient;
  readonly #leaving = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #answering: Promise<void> = Promise.resolve();

  /** Starts a session; its reader comes through the network that is cut, or from the hub's side of it. */
  static async start(
    both: HubAndRunner,
    { name, isFar, machine = 'away' }: { name: string; isFar: boolean; machine?: Machine },
  ): Promise<FollowedSession> {
    const client = createHubClient({ url: both.url, token: both.token });
    const folder = both.newFolder(name);
    const runnerId = await sooner(async () => {
      const { runners } = await client.listRunners();
      return runners.find((runner) => runner.name === machine && runner.isConnected)?.id;
    });
    const { id } = await client.createSession({ agent: 'counter', runnerId, folder });
    const session = new FollowedSession(id, folder, client);
    session.#follow(isFar ? both.proxy.url : both.url, both.token);
    onTestFinished(() => session.leave());
    return session;
  }

  private constructor(id: string, folder: string, client: HubClient) {
    this.id = id;
    this.folder = folder;
    this.#client = client;
  }

  /** Sends a prompt until the hub says that it has it. Several may send it at the same time. */
  async prompt(
    prompt: CountingPrompt,
    { delivery = 'queue', senders = 1 }: { delivery?: 'queue' | 'steer'; senders?: number } = {},
  ): Promise<void> {
    const message = { sessionId: this.id, id: newId('msg'), text: JSON.stringify(prompt), delivery };
    const send = () => sooner(() => this.#client.sendPrompt(message));
    await Promise.all(Array.from({ length: senders }, send));
    this.accepted.push(message.id);
  }

  /** The approvals that wait for somebody, as they are listed. */
  async waitingApprovals(): Promise<string[]> {
    const { approvals } = await sooner(() => this.#client.listApprovals());
    return approvals.filter(({ sessionId }) => sessionId === this.id).map(({ id }) => id);
  }

  /** Remembers what the reader sees now. */
  remember(): void {
    if (this.view !== undefined) this.moments.push(this.view);
  }

  /** Waits until nothing is to be done any more and the reader has seen it. */
  async drained(): Promise<void> {
    await sooner(async () => {
      const { status, queued, waitingApprovals, turnId, seq, isOnline } = await this.#client.getSession({
        sessionId: this.id,
      });
      const isDone = isOnline && queued === 0 && waitingApprovals === 0 && turnId === undefined;
      const state = `${status}, queued ${queued}, waiting ${waitingApprovals}, turn ${turnId}, online ${isOnline}, seq ${seq}, seen ${this.view?.seq}`;
      if (!isDone || this.view?.seq !== seq) throw new Error(state);
      return true;
    });
  }

  /** Everything that is in the log behind an event. */
  log(after = 0): Promise<LoggedHubEvent[]> {
    return wholeLog(this.#client, this.id, after);
  }

  /** The reader leaves. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await Promise.all([this.#following, this.#answering]);
  }

  #follow(url: string, token: string): void {
    // A dead connection is noticed sooner than elsewhere, and one that is only quiet is opened anew: more to go wrong.
    const times = { silenceMs: 3_000, firstRetryMs: 100, maxRetryMs: 1_000 };
    const reader = createHubClient({ url, token, times });
    this.#following = reader.followView(this.id, {
      signal: this.#leaving.signal,
      onView: (view) => {
        this.view = view;
      },
    });
    this.#following.catch(() => {}); // Waited for in `leave`.
    this.#answering = this.#answerApprovals();
  }

  /** Two people answer each approval at the same time, one yes and one no, as often as it takes. */
  async #answerApprovals(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const waiting = this.view?.approvals.filter(({ decided }) => decided === undefined) ?? [];
      const open = this.isAnswered ? waiting : [];
      for (const { id: approvalId } of open) {
        const answer = async (optionId: string) => {
          await this.#client.decideApproval({ sessionId: this.id, approvalId, optionId }, { signal });
          // Who repeats an answer that was taken is told so once more.
          const taken = `${approvalId} ${optionId}`;
          if (!this.counted.includes(taken)) this.counted.push(taken);
        };
        await Promise.allSettled([answer('yes'), answer('no')]);
      }
      await delay(100);
    }
  }
}

/** How many blocks their agents have said, by their own notes. */
export function countSaid(sessions: readonly FollowedSession[]): number {
  return sessions.flatMap(({ folder }) => agentNotes(folder)).filter((note) => 'said' in note).length;
}

/** A view made from a log, on top of one from before. */
export function viewOf(events: readonly LoggedHubEvent[], before?: SessionView): SessionView | undefined {
  return foldHubEvents([...events], before);
}

/** Tries until something comes of it. What is not about a hub or a network that is away is passed on. */
export async function sooner<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    let problem: unknown = 'nothing came of it';
    try {
      const result = await attempt();
      if (result !== undefined) return result;
    } catch (error) {
      if (error instanceof DragomanError && !['unavailable', 'timed-out'].includes(error.code)) throw error;
      problem = error;
    }
    if (Date.now() > until) throw new Error(`given up after ${PATIENCE_MS} ms: ${String(problem)}`, { cause: problem });
    await delay(50);
  }
}
