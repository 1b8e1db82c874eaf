import {
  DragomanError,
  type FolderListing,
  type HubLink,
  type NumberedCommand,
  type OutboxBatch,
  type OutboxRecord,
  type RunnerAsk,
  type RunnerCommand,
  type RunnerEvent,
  type RunnerHello,
  type RunnerMessage,
  type RunnerSync,
  type SessionSpec,
} from '@dragoman/protocol';

/**
 * A hub in memory, by the rules a real one follows: it takes each number of an outbox once and in order, keeps commands
 * until they are carried out, and can lose, delay or repeat what travels.
 */
export class MemoryHub implements HubLink {
  /** What was taken, by outbox. */
  readonly taken = new Map<string, OutboxRecord[]>();
  readonly batches: OutboxBatch[] = [];
  readonly hellos: RunnerHello[] = [];
  readonly replies: { askId: string; answer: unknown }[] = [];
  readonly commands: NumberedCommand[] = [];
  handled = 0;
  sync: () => RunnerSync['open'] = () => [];
  /** Called for each batch before it is taken; what it throws is the answer. */
  onBatch: (batch: OutboxBatch) => Promise<void> | void = () => {};
  /** Called for each batch after it was taken; what it throws is an answer that was lost. */
  onTaken: (batch: OutboxBatch) => Promise<void> | void = () => {};
  onHello: (hello: RunnerHello) => Promise<void> | void = () => {};
  #stream: { receive: (message: RunnerMessage) => void; fail: (error: Error) => void } | undefined;
  #asked = 0;
  #changed = Promise.withResolvers<void>();

  async hello(hello: RunnerHello): Promise<{ acked: number }> {
    this.hellos.push(hello);
    await this.onHello(hello);
    return { acked: this.taken.get(hello.outboxId)?.length ?? 0 };
  }

  async send(_runnerId: string, batch: OutboxBatch): Promise<{ acked: number }> {
    await this.onBatch(batch);
    // What travels is a copy.
    const { outboxId, first, records } = JSON.parse(JSON.stringify(batch)) as OutboxBatch;
    const known = this.taken.get(outboxId) ?? [];
    if (first > known.length + 1) throw new DragomanError('conflict', `the hub has ${known.length} records`);
    this.batches.push(batch);
    const news = records.slice(known.length + 1 - first);
    known.push(...news);
    for (const record of news)
      if (record !== null && 'handled' in record && record.handled <= this.#commanded)
        this.handled = Math.max(this.handled, record.handled);
    this.taken.set(outboxId, known);
    this.#tell();
    await this.onTaken(batch);
    return { acked: known.length };
  }

  listen(_runnerId: string, receive: (message: RunnerMessage) => void, signal: AbortSignal): Promise<void> {
    const { promise, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    this.#stream = { receive, fail: reject };
    receive({ type: 'sync', sync: { open: this.sync(), handled: this.handled, commanded: this.#commanded } });
    for (const command of this.commands) if (command.number > this.handled) receive({ type: 'command', command });
    this.#tell();
    return promise;
  }

  async reply(_runnerId: string, askId: string, answer: unknown): Promise<void> {
    this.replies.push({ askId, answer });
    this.#tell();
  }

  /** Gives the runner something to do; kept until it is carried out. */
  command(session: SessionSpec, command: RunnerCommand): number {
    const number = this.#commanded + 1;
    const numbered = { number, session, command };
    this.commands.push(numbered);
    this.#stream?.receive({ type: 'command', command: numbered });
    return number;
  }

  /** Asks the machine something. */
  async ask(ask: RunnerAsk): Promise<{ result?: FolderListing; error?: { code: string; message: string } }> {
    const askId = `ask_${(this.#asked += 1)}`;
    await this.until(() => this.#stream !== undefined);
    this.#stream!.receive({ type: 'ask', askId, ask });
    await this.until(() => this.replies.some((reply) => reply.askId === askId));
    return this.replies.find((reply) => reply.askId === askId)!.answer as { result?: FolderListing };
  }

  /** Breaks the stream of commands. */
  cut(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.fail(new Error('the connection was cut'));
  }

  /** Loses everything, as if it were restored from a copy of before it met this runner. */
  setBack(): void {
    this.taken.clear();
    this.commands.length = 0;
    this.handled = 0;
    this.cut();
  }

  get isListening(): boolean {
    return this.#stream !== undefined;
  }

  /** Everything that was taken, from whatever outbox. */
  get records(): OutboxRecord[] {
    return [...this.taken.values()].flat();
  }

  /** What happened in a session. */
  events(sessionId: string): RunnerEvent[] {
    return this.records.flatMap((record) =>
      record !== null && 'event' in record && record.sessionId === sessionId ? [record.event] : [],
    );
  }

  /** Waits until something is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await this.#changed.promise;
  }

  get #commanded(): number {
    return this.commands.at(-1)?.number ?? 0;
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
