import { DragomanError } from '@dragoman/protocol';
import { isJsonObject } from '../tools/json-object.ts';

/** The fields at the top of a dialect's requests, for a provider of another protocol. */
export interface FieldTable {
  /** Those that the decoder reads, if only to check them. */
  read: ReadonlySet<string>;
  /** Those without which the answer would not be what was asked for, and that nobody else can be told. */
  refused: ReadonlySet<string>;
  /** Values that ask for what is done anyway. */
  usual: Readonly<Record<string, unknown>>;
}

const MAX_NAMES = 50;
const MAX_LENGTH = 40;

/**
 * The names of the fields that only say how to do it, and are left out: they are hints, or nobody here knows them. Refuses the
 * request for the first that is more.
 */
export function unreadFields(body: unknown, { read, refused, usual }: FieldTable): string[] {
  const unread: string[] = [];
  for (const [field, value] of Object.entries(isJsonObject(body) ? body : {})) {
    const isRefused = refused.has(field);
    if ((read.has(field) && !isRefused) || asksForNothing(value) || value === usual[field]) continue;
    if (isRefused) {
      throw new DragomanError(
        'bad-request',
        `${field}: only a provider with the same protocol supports this. Leave it out, or use such a provider.`,
      );
    }
    if (unread.length < MAX_NAMES) unread.push(field.slice(0, MAX_LENGTH));
  }
  return unread;
}

function asksForNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
