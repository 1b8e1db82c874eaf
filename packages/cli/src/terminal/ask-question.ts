import type { QuestionAnswer, QuestionRequest } from '@dragoman/agent';
import { plainlyShown } from '@dragoman/protocol';
import { cleanLine } from './clean-text.ts';
import { painter } from './paint.ts';
import { type LineTerminal, readLine } from './read-line.ts';
import { wrapText } from './wrap-text.ts';

/** What is asked. */
type TypedQuestion = Pick<QuestionRequest, 'title' | 'reason' | 'options' | 'takesText'>;

/**
 * Asks a person for a line: the number of an option, or words where the question takes them; there an option is named
 * with a # before it, for an answer may be a number itself. The end of the input, or Ctrl-C, cancels the question.
 */
export async function askQuestion(
  terminal: LineTerminal & { isColored?: boolean },
  { title, reason, options, takesText }: TypedQuestion,
): Promise<QuestionAnswer> {
  const { output, signal, isColored = false } = terminal;
  signal?.throwIfAborted();
  const paint = painter(isColored);
  const width = (output.columns || 80) - 1;
  const write = (lines: readonly string[]) => output.write(`${lines.join('\n')}\n`);
  const shown = (text: string, lead: string) => wrapText(cleanLine(plainlyShown(text)), width, lead);
  write([
    ...shown(title, '? ').map((line) => paint(['bold', 'yellow'], line)),
    ...reason.split('\n').flatMap((line) => shown(line, '  ')),
    ...options.flatMap(({ name }, index) => shown(name, `  ${takesText ? '#' : ''}${index + 1}  `)),
    paint('dim', `  ${hint(options.length, takesText)}`),
  ]);
  const optionOf = (line: string) => {
    const number = (takesText ? /^#(\d{1,3})$/ : /^#?(\d{1,3})$/).exec(line)?.[1];
    return number === undefined ? undefined : options[Number(number) - 1];
  };
  const isTaken = (typed: string) => (takesText && typed !== '') || optionOf(typed) !== undefined;
  const line = await readLine(terminal, isTaken, paint('dim', hint(options.length, takesText)));
  if (line === undefined) return { type: 'cancelled' };
  const option = optionOf(line);
  return option === undefined ? { type: 'text', text: line } : { type: 'chosen', optionId: option.id };
}

function hint(count: number, takesText: boolean): string {
  if (count === 0) return 'Type your answer.';
  if (takesText) return 'Type your answer, or # and a number to choose.';
  return count === 1 ? 'Type 1.' : `Type a number from 1 to ${count}.`;
}
