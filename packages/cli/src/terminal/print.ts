import { cleanPainted, cleanText } from './clean-text.ts';
import { jsonText } from './json-text.ts';

/*
 * The one place where the commands write. Whatever stands in a text, such as the name of a folder or the words of a model
 * or a provider, does not command the terminal.
 */

/** Whether something stands on the terminal that goes away with what is written next. */
let isPassing = false;

/** Says on a terminal what is being done, until something is written; nothing elsewhere. */
export function showPassing(text: string): void {
  if (process.stderr.isTTY !== true) return;
  isPassing = true;
  process.stderr.write(cleanText(text));
}

/** Takes it away, before something draws. */
export function clearPassing(): void {
  if (isPassing) process.stderr.write('\r\u001B[K');
  isPassing = false;
}

/** A line, or lines, for whoever called the command. */
export function print(text: string, end = '\n'): void {
  clearPassing();
  process.stdout.write(cleanText(text) + end);
}

/** The same for a text with colours. What is foreign in it was cleaned before it got one. */
export function printPainted(text: string): void {
  clearPassing();
  process.stdout.write(cleanPainted(text));
}

/** A value for programs, on a line of its own unless it is indented. */
export function printJson(value: unknown, indent?: number): void {
  clearPassing();
  process.stdout.write(`${jsonText(value, indent)}\n`);
}

/** What goes beside the output: troubles, advice and questions. */
export function printError(text: string, end = '\n'): void {
  clearPassing();
  process.stderr.write(cleanText(text) + end);
}

/** From now on what cannot be written is left out: the disk that it goes to may be full, or its reader gone. */
export function ignoreFailedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {});
}

/** For what draws or speaks a protocol; it cleans what it shows itself. */
export const rawOutput = process.stdout;
export const rawError = process.stderr;
