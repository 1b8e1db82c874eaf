/** What a model thinks, about as long as it usually is. */
export const THOUGHT = 'The list is read before the stream is open, so a change in between is lost. '.repeat(6);

/** What a model says: paragraphs, a list and code. */
export const SAID = `The change goes through **three** places, and each of them keeps what it had until the next one has it.

1. \`readPage\` in \`src/log/read-events.ts\` reads as far as a page allows.
2. The follower hands it on, and waits where the reader is slow.
3. The stream writes it once for everybody.

\`\`\`ts
export function placeIn(items: readonly Item[], since: number): number {
  let place = items.length;
  while (place > 0 && items[place - 1].since > since) place -= 1;
  return place;
}
\`\`\`

What is left is the reader that comes back: it stands in the middle of a block, and is given the whole of it once.`;

/** A file that was read. */
export const LOOKED_AT = Array.from(
  { length: 40 },
  (_, line) => `${line + 1}  export const place${line} = items.findIndex((item) => item.since > ${line});`,
).join('\n');

/** A change to a file. */
export function diffOf(path: string): string {
  const body = Array.from({ length: 12 }, (_, line) => {
    if (line % 4 === 1) return `-  const old${line} = read(${line});\n+  const next${line} = await read(${line});`;
    return ` const kept${line} = ${line};`;
  });
  return `--- a/${path}\n+++ b/${path}\n@@ -1,12 +1,12 @@\n${body.join('\n')}\n`;
}
