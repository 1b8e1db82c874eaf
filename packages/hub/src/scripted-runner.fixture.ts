import type {
  HubClient,
  HubLink,
  NumberedCommand,
  OutboxRecord,
  RunnerAsk,
  RunnerCommand,
  RunnerEvent,
  RunnerHello,
  RunnerMessage,
  RunnerSync,
} from '@dragoman/protocol';
import { onTestFinished } from 'vitest';

/** What a runner says of itself unless the test says otherwise. */
export function helloOf(given: Partial<RunnerHello> = {}): RunnerHello {
  return {
    id: 'run_desk',
    name: 'desk',
    host: 'desk.local',
    version: '1.0.0',
    isShared: false,
    folders: [],
    outboxId: 'outbox-1',
    agents: [
      { name: 'scribe', backend: 'never-heard-of-it', capabilities: { approvals: true, resume: true } },
      {
        name: 'able',
        backend: 'another-kind',
        title: 'Able',
        capabilities: { fork: true, steer: true, models: true, modes: true },
      },
      {
        name: 'absent',
        backend: 'acp',
        capabilities: {},
        problem: { code: 'unavailable', message: '"absent" is not installed.', fix: 'npm install -g absent' },
      },
    ],
    ...given,
  };
}

/** A runner whose every word is the test's. Its outbox is a list, and what it hears is kept. */
export class ScriptedRunner {
  link: HubLink;
  readonly hello: RunnerHello;
  readonly syncs: RunnerSync[] = [];
  readonly commands: NumberedCommand[] = [];
  readonly asks: { askId: string; ask: RunnerAsk }[] = [];
  readonly #endedAsks = new Set<string>();
  /** Answers a question at once; what comes back as nothing is left to the test. */
  answers: (ask: RunnerAsk) => { result: unknown } | { error: { code: string; message: string } } | undefined = () =>
    undefined;
  /** How the last stream ended. */
  ended: Promise<unknown> = Promise.resolve();
  #next = 1;
  #handled = 0;
  #stop = new AbortController();
  #watchers: (() => void)[] = [];

  constructor(link: HubLink, hello: Partial<RunnerHello> = {}) {
    this.link = link;
    this.hello = helloOf(hello);
    onTestFinished(() => this.leave());
  }

  /** Introduces itself, and listens. Resolves with what the hub believes to be going on. */
  async connect(): Promise<RunnerSync> {
    await this.greet();
    this.#stop = new AbortController();
    const count = this.syncs.length;
    this.ended = this.link
      .listen(this.hello.id, (message) => this.#hear(message), this.#stop.signal)
      .catch((error: unknown) => error);
    return this.#until(() => this.syncs[count]);
  }

  async greet(): Promise<{ acked: number }> {
    return this.link.hello(this.hello, this.#stop.signal);
  }

  /** Ends the stream, as a lost network would. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.ended;
    this.#stop = new AbortController();
  }

  /** Waits for the next command of a kind, and takes it. */
  async command<Type extends RunnerCommand['type']>(
    type: Type,
  ): Promise<NumberedCommand & { command: Extract<RunnerCommand, { type: Type }> }> {
    const found = await this.#until(() => this.commands.find(({ command }) => command.type === type));
    this.commands.splice(this.commands.indexOf(found), 1);
    return found as NumberedCommand & { command: Extract<RunnerCommand, { type: Type }> };
  }

  async asked(): Promise<{ askId: string; ask: RunnerAsk }> {
    const found = await this.#until(() => this.asks[0]);
    this.asks.shift();
    return found;
  }

  /** Resolves when it was told that nobody waits for an answer any more. */
  async askEnded(askId: string): Promise<void> {
    await this.#until(() => (this.#endedAsks.has(askId) ? true : undefined));
  }

  /** Every command that was given so far has come: a question that is asked now comes behind them. */
  async caughtUp(client: HubClient): Promise<this> {
    const listing = client.listFolder({ runnerId: this.hello.id });
    const { askId } = await this.asked();
    await this.link.reply(this.hello.id, askId, { result: { path: '/', isRepository: false, folders: [] } });
    await listing;
    return this;
  }

  /** Tells events of a session, and that commands up to a number were carried out. */
  async say(sessionId: string, events: readonly RunnerEvent[], handled?: NumberedCommand): Promise<void> {
    const records: OutboxRecord[] = events.map((event) => ({ sessionId, at: Date.now(), event }));
    if (handled !== undefined && handled.number > this.#handled) {
      this.#handled = handled.number;
      records.push({ handled: handled.number });
    }
    await this.send(records);
  }

  async send(records: readonly OutboxRecord[]): Promise<void> {
    const batch = { outboxId: this.hello.outboxId, first: this.#next, records };
    const { acked } = await this.link.send(this.hello.id, batch, AbortSignal.timeout(100_000));
    this.#next = acked + 1;
  }

  #hear(message: RunnerMessage): void {
    if (message.type === 'sync') this.syncs.push(message.sync);
    else if (message.type === 'ask') this.#hearAsk(message);
    else if (message.type === 'ask-ended') this.#endedAsks.add(message.askId);
    else this.commands.push(message.command);
    for (const look of this.#watchers) look();
  }

  #hearAsk({ askId, ask }: Extract<RunnerMessage, { type: 'ask' }>): void {
    const reply = this.answers(ask);
    if (reply === undefined) this.asks.push({ askId, ask });
    else void this.link.reply(this.hello.id, askId, reply).catch(() => {}); // The hub may be closed by then.
  }

  #until<Found>(find: () => Found | undefined): Promise<Found> {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#watchers = this.#watchers.filter((one) => one !== look);
        resolve(found);
      };
      this.#watchers.push(look);
      look();
    });
  }
}

/** A whole block, said at once. */
export function said(text: string, id = `blk_${text.slice(0, 400)}`): RunnerEvent {
  return {
    type: 'block-stop',
    messageId: `msg_of_${id}`,
    role: 'assistant',
    blockId: id,
    block: { type: 'text', text },
  };
}
