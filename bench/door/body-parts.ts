/** What a body may be at most, as the door has it. */
export interface BodyLimits {
  bytes: number;
  values: number;
  fields: number;
  names: number;
}

/** A body, made when it is needed. */
export interface HostileBody {
  name: string;
  isPacked?: boolean;
  /** What is sent after the address, for a call without a body. */
  query?: string;
  /** `first` is the number that the next record of the runner has. */
  make: (first: number) => Buffer;
}

/** Small enough that what stands around a flood fits, too. */
export const ROOM = 300;

/** Entries of a list, each with the number of fields in it. */
export type Entries = Readonly<Record<string, [entry: string, fieldsInIt: number]>>;

/** Lists of what is wrong and of what is right, as long as they may be. */
export function listBodies(
  { values, fields }: BodyLimits,
  around: (list: string, first: number) => string,
  right: Entries,
): HostileBody[] {
  const count = (perEntry: number) => Math.floor((fields - ROOM) / Math.max(1, perEntry));
  return [
    ...['{}', '[]', '""', '1', 'null', '{"type":7}'].map((wrong) =>
      body(`list of ${wrong}`, (first) =>
        around(repeat(wrong.includes(':') ? count(1) : Math.floor(values / 2) - ROOM, wrong), first),
      ),
    ),
    ...Object.entries(right).flatMap(([name, [entry, own]]) =>
      [10_000, 2_000, count(own)].map((most) =>
        body(`${Math.min(most, count(own))} × ${name}`, (first) =>
          around(repeat(Math.min(most, count(own)), entry), first),
        ),
      ),
    ),
  ];
}

export function body(name: string, text: (first: number) => string): HostileBody {
  return { name, make: (first) => Buffer.from(text(first)) };
}

export function repeat(count: number, entry: string): string {
  return count <= 0 ? '' : `${`${entry},`.repeat(count - 1)}${entry}`;
}

export function numbered(count: number, entry: (number: number) => string): string {
  return Array.from({ length: Math.max(0, count) }, (_, number) => entry(number)).join(',');
}

/** As often as it fits. */
export function fill(piece: string, bytes: number, start = ''): string {
  return start + piece.repeat(Math.max(0, Math.floor((bytes - start.length) / Buffer.byteLength(piece))));
}
