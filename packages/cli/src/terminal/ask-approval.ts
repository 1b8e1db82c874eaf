import { plainlyShown } from '@dragoman/protocol';
import { AnsweredElsewhere } from './answered-elsewhere.ts';
import { cleanLine } from './clean-text.ts';
import { painter, type Paint } from './paint.ts';
import { questionLines, type QuestionSubject } from './question-lines.ts';
import { interruptSelf, type LineTerminal, readLine } from './read-line.ts';
import { wrapText } from './wrap-text.ts';

/** May this run? */
export interface ApprovalQuestion extends QuestionSubject {
  /** What "always" would save, each in a line; empty where it is not offered. */
  always: readonly string[];
}

/** What the person says. */
export type ApprovalReply = 'once' | 'always' | 'reject' | { reject: string };

export interface ApprovalTerminal extends LineTerminal {
  isColored?: boolean;
  /** The time in milliseconds. With it, keys count only once nothing was typed for a moment after the question was shown. */
  now?: () => number;
}

type Key = 'y' | 'a' | 'n' | 'e' | 'm' | 'interrupt' | 'end';

/** Terminals keep a thousand lines at least; what scrolls out of them was not seen. */
const PAGE_LINES = 500;
/** Who presses a key sooner after the last one, or after a page appeared, means something that was there before. */
const QUIET_MS = 300;

/**
 * Asks a person with one key whether a call may run. Whatever happens, the terminal is as it was before.
 *
 * Everything that decides is shown whole: what would run, and what "always" would save. What is longer than a terminal
 * keeps is shown page by page, and there is a yes on the last one only. Keys that were typed ahead, pressed twice or held
 * down count for nothing: only a single key that comes alone, or with the Enter that some press after it, is an answer.
 */
export async function askApproval(terminal: ApprovalTerminal, question: ApprovalQuestion): Promise<ApprovalReply> {
  const { output, signal, isColored = false } = terminal;
  signal?.throwIfAborted();
  const paint = painter(isColored);
  const width = (output.columns || 80) - 1;
  let left = questionLines(question, { paint, width });
  let open = 0;
  const showPage = () => {
    const page = left.slice(0, PAGE_LINES);
    left = left.slice(PAGE_LINES);
    const choices = choiceLines(question, left.length, width, paint);
    output.write(`${[...page, ...choices].join('\n')}\n`);
    open = output.isTTY === true ? choices.length : 0;
  };
  const settle = (said: string) => {
    output.write(`${open > 0 ? `\u001B[${open}A\r\u001B[J` : ''}  ${paint('dim', `→ ${said}`)}\n`);
    open = 0;
  };
  try {
    const next = () => {
      showPage();
      const offered = left.length > 0 ? 'mne' : question.always.length > 0 ? 'yane' : 'yne';
      let hasHinted = false;
      return readKey(terminal, offered, () => {
        if (hasHinted) return;
        hasHinted = true;
        output.write(`  ${paint('dim', `Press ${namedKeys(offered)}.`)}\n`);
        if (open > 0) open += 1;
      });
    };
    let key = await next();
    while (key === 'm') {
      settle('more');
      key = await next();
    }
    switch (key) {
      case 'y':
        settle('allowed once');
        return 'once';
      case 'a':
        settle('always allowed in this project');
        return 'always';
      case 'n':
      case 'end':
        settle('denied');
        return 'reject';
      case 'interrupt':
        settle('denied and stopped');
        (terminal.onInterrupt ?? interruptSelf)();
        return 'reject';
      case 'e': {
        settle('denied; reason:');
        const feedback = (await readLine(terminal)) ?? '';
        return feedback === '' ? 'reject' : { reject: feedback };
      }
    }
  } catch (error) {
    const why: unknown = signal?.reason;
    if (signal?.aborted === true)
      settle(why instanceof AnsweredElsewhere ? cleanLine(why.message) : 'already answered or expired');
    throw error;
  }
}

function choiceLines({ always }: ApprovalQuestion, left: number, width: number, paint: Paint): string[] {
  const choice = (key: string, text: string) => {
    const [first = '', ...others] = wrapText(text, width, `  ${key}  `);
    return [first.replace(`  ${key}`, () => `  ${paint('bold', key)}`), ...others];
  };
  const saved = always.map((rule) => cleanLine(plainlyShown(rule)));
  return [
    ...(left > 0
      ? choice('m', `more: ${left} ${left === 1 ? 'line' : 'lines'} left`)
      : [
          ...choice('y', 'allow once'),
          ...(saved.length === 0 ? [] : choice('a', `always allow in this project: ${saved.join(', ')}`)),
        ]),
    ...choice('n', 'deny'),
    ...choice('e', 'deny with reason'),
  ];
}

/** `y, a, n or e` */
function namedKeys(offered: string): string {
  return Array.from(offered)
    .join(', ')
    .replace(/, (?=.$)/, ' or ');
}

function readKey(terminal: ApprovalTerminal, offered: string, onOther: () => void): Promise<Key> {
  const { input, signal, now } = terminal;
  let lastAt = now?.() ?? 0;
  const { promise, resolve, reject } = Promise.withResolvers<Key>();
  const wasRaw = input.isRaw ?? false;
  const onData = (data: Buffer | string) => {
    const key = keyOf(String(data), offered);
    const at = now?.() ?? Infinity;
    const isTypedAhead = at - lastAt < QUIET_MS;
    if (isTypedAhead) lastAt = at;
    if (key !== undefined && (!isTypedAhead || key === 'interrupt' || key === 'end')) resolve(key);
    else if (key === undefined && !isTypedAhead) onOther();
  };
  const onEnd = () => resolve('end');
  const onAbort = () => reject(signal?.reason as Error);
  input.on('data', onData);
  input.on('end', onEnd);
  input.on('close', onEnd);
  signal?.addEventListener('abort', onAbort, { once: true });
  input.setRawMode?.(true);
  input.resume();
  return promise.finally(() => {
    input.off('data', onData);
    input.off('end', onEnd);
    input.off('close', onEnd);
    signal?.removeEventListener('abort', onAbort);
    input.setRawMode?.(wasRaw);
    input.pause();
  });
}

function keyOf(data: string, offered: string): Key | undefined {
  if (data.includes('\u0003')) return 'interrupt';
  if (data === '\u0004') return 'end';
  const key = data.toLowerCase().replace(/(?:\r\n|\r|\n)$/, '');
  return key.length === 1 && offered.includes(key) ? (key as Key) : undefined;
}
