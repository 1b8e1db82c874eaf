/** What is being written at the caret that can be completed. */
export interface Trigger {
  kind: 'command' | 'model' | 'mode' | 'mention';
  /** What was written of it so far. */
  query: string;
  /** What a completion takes the place of. */
  from: number;
  to: number;
}

/**
 * What can be completed at the caret: a command at the very beginning, the model or mode after `/model` or `/mode`, or
 * a name after an `@` that begins a word.
 */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const chosen = /^\/(model|mode) +([^\n]*)$/.exec(before);
  if (chosen !== null && text.length === caret)
    return { kind: chosen[1] as 'model' | 'mode', query: chosen[2]!.trim(), from: 0, to: caret };
  const command = /^\/(\S*)$/.exec(before);
  if (command !== null) return { kind: 'command', query: command[1]!, from: 0, to: caret };
  // Only as far back as a path may be long, so that a large text is not looked through with every key.
  const tail = before.slice(-MAX_NAME);
  const mention = /(?:^|[\s(（“"'])@([^\s@]*)$/u.exec(tail);
  if (mention === null || (mention.index === 0 && tail.length < before.length && !/^[\s(（“"']/.test(tail)))
    return undefined;
  const query = mention[1]!;
  return { kind: 'mention', query, from: caret - query.length - 1, to: caret };
}

const MAX_NAME = 300;

/** The text with a completion in it, and where the caret is then. */
export function complete(text: string, { from, to }: Trigger, insert: string): { text: string; caret: number } {
  const rest = text.slice(to);
  const gap = rest === '' || !/^\s/.test(rest) ? ' ' : '';
  const head = text.slice(0, from) + insert + gap;
  return { text: head + rest, caret: head.length + (gap === '' ? 1 : 0) };
}

/** Those that match what was written: first by their beginning, then anywhere; as they were among equals. */
export function matching<Item>(items: readonly Item[], query: string, textOf: (item: Item) => string): Item[] {
  const wanted = query.toLowerCase();
  const begins: Item[] = [];
  const holds: Item[] = [];
  for (const item of items) {
    const at = textOf(item).toLowerCase().indexOf(wanted);
    if (at === 0) begins.push(item);
    else if (at > 0) holds.push(item);
  }
  return [...begins, ...holds];
}
