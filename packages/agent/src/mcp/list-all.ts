import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';

const MOST_PAGES = 100;

/** What to list, and how to read one entry. */
export interface ListRequest<Entry> {
  method: string;
  /** Under which name the entries come. */
  key: string;
  schema: z.ZodType<Entry>;
  signal: AbortSignal;
  timeoutMs: number;
  /** An entry that cannot be read is left out, and told. */
  onProblem(message: string): void;
}

/**
 * All entries of a list that comes in pages.
 *
 * The walk is our own because the library's reads every entry strictly, so that one tool with a mistake would hide all
 * others. It ends with an error when a server sends the same cursor twice, or too many pages.
 */
export async function listAll<Entry>(
  client: Client,
  { method, key, schema, signal, timeoutMs, onProblem }: ListRequest<Entry>,
): Promise<Entry[]> {
  const page = z.looseObject({ [key]: z.array(z.unknown()).nullish(), nextCursor: z.string().nullish() });
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, page, { signal, timeout: timeoutMs });
    for (const value of (result[key] ?? []) as unknown[]) {
      const entry = schema.safeParse(value);
      if (entry.success) entries.push(entry.data);
      else onProblem(`an entry of its ${method} cannot be read and is left out: ${z.prettifyError(entry.error)}`);
    }
    cursor = (result.nextCursor as string | null | undefined) ?? '';
    if (cursor === '') return entries;
    if (seen.has(cursor)) throw new Error(`its ${method} goes round in circles: it gave the same cursor twice`);
    seen.add(cursor);
  }
  throw new Error(`its ${method} has more than ${MOST_PAGES} pages`);
}
