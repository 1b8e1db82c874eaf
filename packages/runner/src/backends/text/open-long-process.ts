import { DragomanError } from '@dragoman/protocol';
import type { ChildAgent } from '../../backend/child-agent.ts';
import { AnswerEnd } from './answer-end.ts';
import { TerminalText } from './terminal-text.ts';

/** How long the process may take until it waits for the first prompt. */
const START_SECONDS = 60;

/** A process that takes one prompt after the other. */
export interface LongProcess {
  child: ChildAgent;
  /** Whoever asks gets the output until the answer ends; what is printed between answers is nobody's. */
  ask(onText: (text: string) => void): Promise<void>;
}

/** What starting such a process takes. */
export interface LongProcessOptions {
  /** The agent's name, for messages. */
  name: string;
  endMarker?: string | undefined;
  promptPattern?: string | undefined;
  start: (onBytes: (bytes: Buffer) => void) => Promise<ChildAgent>;
}

/** Starts the process, and waits until it shows its prompt where that is how it is recognised. */
export async function openLongProcess(options: LongProcessOptions): Promise<LongProcess> {
  const { name, endMarker, promptPattern } = options;
  const terminal = new TerminalText();
  let onText: (text: string) => void = () => {};
  let turn = Promise.withResolvers<void>();
  const end = new AnswerEnd({
    endMarker,
    promptPattern: promptPattern === undefined ? undefined : new RegExp(promptPattern, 'u'),
    onText: (text) => onText(text),
    onEnd: () => turn.resolve(),
  });
  const child = await options.start((bytes) => end.push(terminal.push(bytes)));
  if (promptPattern !== undefined) await untilItWaits(name, child, turn.promise);
  return {
    child,
    ask(listener) {
      turn = Promise.withResolvers();
      onText = listener;
      return turn.promise.finally(() => (onText = () => {}));
    },
  };
}

async function untilItWaits(name: string, child: ChildAgent, ready: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<'late'>();
  const limit = setTimeout(() => late.resolve('late'), START_SECONDS * 1000);
  const first = await Promise.race([ready, child.ended, late.promise]);
  clearTimeout(limit);
  if (first === undefined) return;
  await child.stop();
  if (first === 'late')
    throw new DragomanError(
      'timed-out',
      `"${name}" showed no prompt within ${START_SECONDS} s; look at its "promptPattern"`,
    );
  throw new DragomanError('unavailable', `"${name}" ${first.text}`);
}
