import { trimEndOf } from '../trim-end-of.ts';

/** Colours, movements of the cursor, titles of the window: what programs tell a terminal. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{0,8}[0-~])|\u009b[0-?]{0,64}[ -/]{0,8}[@-~]/g;

/** What a program wrote, as a terminal would leave it there to read: no escapes, and of a line that was written over the last. */
export function plainOutput(text: string): string {
  const plain = text.includes('\u001b') || text.includes('\u009b') ? text.replaceAll(ESCAPES, '') : text;
  if (!plain.includes('\r')) return plain;
  return plain
    .split('\n')
    .map((line) => {
      const whole = trimEndOf(line, '\r');
      return whole.slice(whole.lastIndexOf('\r') + 1);
    })
    .join('\n');
}
