import { setImmediate as turnOfLoop, setTimeout as pause } from 'node:timers/promises';
import type { AgentBackend, BackendPrompt, BackendSession, TurnEnd } from '@dragoman/protocol';
import { BlockWriter } from '@dragoman/runner';

/** What the agent of the benchmark is asked to do, as the text of a prompt. */
export type Script =
  /**
   * Messages at a steady pace, each in three pieces close together, or as it says. The first piece tells when it was
   * written; see `stampOf`.
   */
  | { type: 'paced'; messages: number; everyMs: number; firstMs?: number; pieces?: Pieces }
  /** Blocks one after the other, as fast as it can. The text of each begins with its number and a stamp. */
  | { type: 'burst'; blocks: number };

/** How a message comes: in so many pieces, so far apart. */
export interface Pieces {
  count: number;
  everyMs: number;
}

/** About as long as the messages that were sent through HAPI. */
const FILLER = 'The quick brown fox jumps over the lazy dog, reads the file and says what is in it. '.repeat(3);
const PIECES: Pieces = { count: 3, everyMs: 4 };
const WORDS = ['The quick brown fox ', 'jumps over the lazy dog. '];

/** Does what the text of a prompt says, until it is done or the signal fires. */
export type Play = (writer: BlockWriter, prompt: string, signal: AbortSignal) => Promise<void>;

/** An agent in the runner's own process that costs next to nothing, so that what is measured is the way to the reader. */
export class ScriptedAgent implements AgentBackend {
  readonly capabilities = {};
  readonly #play: Play;
  #session: BackendSession | undefined;
  #turn: AbortController | undefined;

  constructor(play: Play = playScript) {
    this.#play = play;
  }

  async start(session: BackendSession): Promise<void> {
    this.#session = session;
  }

  async prompt({ content }: BackendPrompt): Promise<TurnEnd> {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const writer = new BlockWriter(this.#session!.emit);
    this.#turn = new AbortController();
    const { signal } = this.#turn;
    try {
      await this.#play(writer, text, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      writer.closeAll();
    }
    return { reason: signal.aborted ? 'cancelled' : 'done' };
  }

  async cancel(): Promise<void> {
    this.#turn?.abort();
  }

  async dispose(): Promise<void> {
    this.#turn?.abort();
  }
}

async function playScript(writer: BlockWriter, prompt: string, signal: AbortSignal): Promise<void> {
  const script = JSON.parse(prompt) as Script;
  if (script.type === 'burst') await burst(writer, script.blocks);
  else await paced(writer, script, signal);
}

async function paced(writer: BlockWriter, script: Extract<Script, { type: 'paced' }>, signal: AbortSignal) {
  const { messages, everyMs, firstMs = 0, pieces = PIECES } = script;
  const begin = performance.now() + firstMs;
  for (let index = 0; index < messages; index++) {
    await pause(begin + index * everyMs - performance.now(), undefined, { signal });
    writer.text(`${stamp(index)} `);
    for (let piece = 1; piece < pieces.count; piece++) {
      await pause(pieces.everyMs, undefined, { signal });
      writer.text(WORDS[(piece - 1) % WORDS.length]!);
    }
    writer.closeAll();
  }
}

async function burst(writer: BlockWriter, blocks: number): Promise<void> {
  for (let index = 0; index < blocks; index++) {
    writer.text(`${stamp(index)} ${FILLER}`);
    writer.closeAll();
    if (index % 20 === 19) await turnOfLoop();
  }
}

/** The clock of the machine, which all its processes share. */
export function stamp(index: number): string {
  return `#${index}@${process.hrtime.bigint()}`;
}

/** The number of a message, and when it was written, in ms of the machine's clock; nothing where there is no stamp. */
export function stampOf(text: string): { index: number; atMs: number } | undefined {
  const match = /^#(\d+)@(\d+) /.exec(text);
  return match === null ? undefined : { index: Number(match[1]), atMs: Number(BigInt(match[2]!)) / 1e6 };
}

/** Now, by the same clock. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
