import { larkMarkdown, type TableCount } from './markdown.ts';

/** What was made of the paragraphs of a text; kept with it, so that what did not change is not made again. */
export interface DrawnText {
  /** A piece of it in Lark's Markdown. */
  markdownOf(piece: string, tables: TableCount): string;
  /** The bytes of JSON that a piece of it comes to. */
  costOf(piece: string): number;
}

/** Remembers what was made of a text for as long as the text is the same. */
export function drawnText(): DrawnText {
  const drawn = new Map<string, { content: string; left: number }>();
  const costs = new Map<string, number>();
  return {
    markdownOf(piece, tables) {
      const key = `${tables.left} ${piece}`;
      let known = drawn.get(key);
      if (known === undefined) {
        const count = { ...tables };
        known = { content: larkMarkdown(piece, count), left: count.left };
        drawn.set(key, known);
      }
      tables.left = known.left;
      return known.content;
    },
    costOf(piece) {
      let cost = costs.get(piece);
      if (cost === undefined) {
        // As text and as a table, whatever becomes of it; and the empty line behind it.
        const content = [larkMarkdown(piece), ...(piece.includes('|') ? [larkMarkdown(piece, { left: 9 })] : [])];
        cost = Math.max(...content.map((words) => Buffer.byteLength(JSON.stringify(words)))) + 4;
        costs.set(piece, cost);
      }
      return cost;
    },
  };
}
