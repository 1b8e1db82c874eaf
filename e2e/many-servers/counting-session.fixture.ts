import { DragomanError, type LoggedHubEvent } from '@dragoman/protocol';
import type { CountingPrompt } from '../counting-agent.fixture.ts';
import type { FaultKind } from './faults.fixture.ts';
import { type LiveReader, readLive } from './live-reader.fixture.ts';
import type { ManyServers } from './many-servers.fixture.ts';
import { until, untilAcknowledged, untilOver } from './until-acknowledged.fixture.ts';

/** How far the agent counts in each turn. */
export const BLOCKS = 12;
const EVERY_MS = 100;
/** Where somebody reads, it asks before this one. */
const ASKED_BEFORE = 6;

/** A session of the counting agent, what people did in it, and maybe a reader, who also answers its questions. */
export class CountingSession {
  readonly id: string;
  readonly folder: string;
  /** Prompts that a server said it has. */
  readonly accepted: string[] = [];
  /** Approvals whose answer a server said it has. */
  readonly decided: string[] = [];
  readonly reader: LiveReader | undefined;
  readonly #servers: ManyServers;
  readonly #deciding: Promise<void>[] = [];

  static async start(
    servers: ManyServers,
    { name, runnerId, isRead, lastFault }: SessionStart,
  ): Promise<CountingSession> {
    const folder = servers.hub.newFolder(name);
    const { id } = await untilAcknowledged(() =>
      servers.client.createSession({ agent: 'counter', folder, runnerId, title: name }),
    );
    return new CountingSession(servers, { id, folder, isRead, lastFault });
  }

  private constructor(
    servers: ManyServers,
    { id, folder, isRead, lastFault }: Omit<SessionStart, 'name' | 'runnerId'> & { id: string; folder: string },
  ) {
    this.#servers = servers;
    this.id = id;
    this.folder = folder;
    if (isRead) this.reader = readLive(servers, id, { lastFault, onEvents: (events) => this.#answer(events) });
  }

  /** Sends a prompt until a server says that it has it. */
  async prompt(id: string): Promise<void> {
    const prompt: CountingPrompt = { blocks: BLOCKS, everyMs: EVERY_MS, name: id };
    if (this.reader !== undefined) prompt.askBefore = [ASKED_BEFORE];
    const text = JSON.stringify(prompt);
    await untilAcknowledged(() => this.#servers.client.sendPrompt({ sessionId: this.id, id, text }));
    this.accepted.push(id);
  }

  /** Waits until the reader has a live stream and everything that is in the session now. */
  async caughtUp(): Promise<void> {
    const { reader } = this;
    if (reader === undefined) return;
    const { seq } = await untilAcknowledged(() => this.#servers.client.getSession({ sessionId: this.id }));
    await until(`the reader of ${this.id} has ${seq}`, () => reader.isLive && (reader.view?.seq ?? 0) >= seq);
  }

  /** Waits until every prompt has had its turn. */
  async drained(): Promise<void> {
    await untilOver(`the prompts of ${this.id}`, async () => {
      const session = await untilAcknowledged(() => this.#servers.client.getSession({ sessionId: this.id }));
      const { seq, queued, waitingApprovals, turnId } = session;
      return { isOver: queued === 0 && waitingApprovals === 0 && turnId === undefined, seq };
    });
    await Promise.all(this.#deciding);
    await this.caughtUp();
  }

  #answer(events: readonly LoggedHubEvent[]): void {
    for (const { event } of events) {
      if (event.type !== 'approval-asked') continue;
      const deciding = this.#decide(event.approval.id);
      deciding.catch(() => {}); // Told by `drained`.
      this.#deciding.push(deciding);
    }
  }

  async #decide(approvalId: string): Promise<void> {
    const answer = { sessionId: this.id, approvalId, optionId: 'a' };
    try {
      await untilAcknowledged(() => this.#servers.client.decideApproval(answer));
      this.decided.push(approvalId);
    } catch (error) {
      // The runner died, and with it the agent that had asked.
      if (!(error instanceof DragomanError && error.code === 'conflict')) throw error;
    }
  }
}

/** Which session is started, where, and whether somebody reads it. */
interface SessionStart {
  name: string;
  runnerId: string;
  isRead: boolean;
  lastFault: () => FaultKind | 'start';
}
