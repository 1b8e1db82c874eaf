import type { AgentError, AgentEventOf, RetryPart, SessionState, Todo } from '@dragoman/protocol';
import { cleanLine } from './clean-text.ts';
import { formatCount, formatDuration } from './format-amounts.ts';
import type { Paint, StyleName } from './paint.ts';
import { wrapText } from './wrap-text.ts';

/** Where notices are shown. */
export interface NoticeContext {
  paint: Paint;
  width: number;
}

/** A command as a person has to type it. */
export type HowToRun = (command: string) => string;

/** `↻ the provider is busy; trying again in 2 s (2 of 5)` */
export function retryLines({ attempt, error }: RetryPart, { paint, width }: NoticeContext): string[] {
  const { code, delayMs, retries } = error.details ?? {};
  const why = WHY_RETRIED[String(code)] ?? cleanLine(error.message).replace(/\.$/, '');
  const when = typeof delayMs === 'number' ? ` in ${waitOf(delayMs)}` : '';
  const count = typeof retries === 'number' ? ` (${attempt} of ${retries})` : attempt > 1 ? ` (${attempt})` : '';
  return wrapText(`${why}; retrying${when}${count}`, width, '↻ ').map((line) => paint('yellow', line));
}

const WHY_RETRIED: Readonly<Record<string, string>> = {
  'rate-limited': 'the provider is busy',
  unavailable: 'cannot reach the provider',
  'timed-out': 'the provider timed out',
};

function waitOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** That the model sees less than the person from here on. */
export function compactionLines(
  { messageIDs, partIDs }: AgentEventOf<'compacted'>,
  { paint, width }: NoticeContext,
): string[] {
  const what =
    messageIDs.length > 0
      ? `summarized ${formatCount(messageIDs.length, 'earlier message')} to free up context`
      : `dropped the output of ${formatCount(partIDs.length, 'earlier tool call')} to free up context`;
  return wrapText(what, width, '≡ ').map((line) => paint('dim', line));
}

const TODO_MARKS: Record<Todo['status'], { sign: string; signStyle: StyleName; style?: StyleName }> = {
  pending: { sign: '○', signStyle: 'dim' },
  in_progress: { sign: '◐', signStyle: 'yellow', style: 'bold' },
  completed: { sign: '✓', signStyle: 'green', style: 'dim' },
  cancelled: { sign: '–', signStyle: 'dim', style: 'dim' },
};

/** The list of what is to be done. */
export function todoLines(todos: readonly Todo[], { paint, width }: NoticeContext): string[] {
  return todos.flatMap(({ content, status }) => {
    const { sign, signStyle, style } = TODO_MARKS[status];
    const lines = wrapText(cleanLine(content), width - 4);
    return lines.map(
      (line, index) =>
        `  ${index === 0 ? paint(signStyle, sign) : ' '} ${style === undefined ? line : paint(style, line)}`,
    );
  });
}

/** What is wrong with an answer that came to its end: it was cut, or says nothing. One that calls tools goes on. */
export function endingOf(
  { messageID, reason }: AgentEventOf<'finish-step'>,
  { messages }: SessionState,
): AgentError | undefined {
  const parts = messages.findLast(({ info }) => info.id === messageID)?.parts ?? [];
  if (parts.some(({ type }) => type === 'tool')) return undefined;
  const hasText = parts.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (reason === 'length')
    return {
      code: 'output-limit',
      message: `The answer was cut off at the model's output limit${hasText ? '' : ' before any text'}.`,
    };
  return hasText ? undefined : { code: 'model', message: 'The model returned an empty answer.' };
}

/** What went wrong, and what can be done about it. */
export function errorLines(error: AgentError, howToRun: HowToRun, { paint, width }: NoticeContext): string[] {
  return [
    ...wrapText(cleanLine(error.message), width, '✗ ').map((line) => paint('red', line)),
    ...wrapText(adviceFor(error, howToRun), width, '  ').map((line) => paint('dim', line)),
  ];
}

function adviceFor({ code, isRetryable, details }: AgentError, howToRun: HowToRun): string {
  const goOn = howToRun('run --continue "…"');
  switch (code) {
    case 'loop':
      return `The agent was stuck in a loop. Tell it what to do differently: ${goOn}`;
    case 'budget':
      return `Progress so far is saved. To continue: ${goOn}`;
    case 'context-overflow':
      return `The conversation no longer fits the model's context. Start a new session, ask for less at once, or use a model with a larger context: --model`;
    case 'output-limit':
      return `To continue: ${goOn}`;
    case 'content-filter':
      return 'Rephrase the prompt, or use another model: --model';
    case 'aborted':
    case 'interrupted':
      return `Progress so far is saved. To continue: ${goOn}`;
    case 'rejected':
      return `Tell it what to do instead: ${goOn}`;
    case 'timed-out':
      return `Try again: ${goOn}; or use another model: --model`;
    case 'model':
      return modelAdvice(isRetryable === true, details?.['code'], howToRun);
    case 'internal':
      return `This is a bug in Dragoman. Please report it. Progress so far is saved. To continue: ${goOn}`;
  }
}

function modelAdvice(isRetryable: boolean, code: unknown, howToRun: HowToRun): string {
  if (code === 'unauthenticated' || code === 'forbidden')
    return `The provider rejected the API key. To see which one is used: ${howToRun('doctor --all')}`;
  if (code === 'not-found') return `To list available models: ${howToRun('models')}`;
  if (isRetryable) return `Try again later: ${howToRun('run --continue "…"')}; or use another model: --model`;
  return `Use another model with --model, or check the provider: ${howToRun('doctor')}`;
}
