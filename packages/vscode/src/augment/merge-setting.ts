/** What an object setting was before some of its fields became ours. */
export interface MergeNote {
  /** The whole value, where it was no object: nothing at all, or something a person left there. */
  whole?: { value?: unknown };
  /** Each of our fields as it was found; without a value it was not there. */
  before: Record<string, { value?: unknown }>;
  /** Everything we ever wrote into each of them: what stands there now and is none of these is somebody else's. */
  ours: Record<string, unknown[]>;
}

/** A setting with our fields in it, and what undoes that. */
export interface Merged {
  value: Record<string, unknown>;
  note: MergeNote;
  /** False where everything is as it should be, so that nothing is written. */
  isDifferent: boolean;
}

/** An address changes rarely; more than these were written by no one. */
const MAX_OURS = 20;

/**
 * Puts our fields into an object setting and keeps all others.
 *
 * The note of an earlier time is carried on, so that undoing leads back to what was there before the first: a field that
 * somebody changed in between is theirs, and is what undoing leads back to.
 */
export function mergeSetting(
  current: unknown,
  fields: Readonly<Record<string, unknown>>,
  earlier: MergeNote | undefined,
): Merged {
  const found = isRecord(current) ? current : {};
  const note: MergeNote = { before: {}, ours: {} };
  const isStillOurs = (name: string) =>
    Object.hasOwn(found, name) && (earlier?.ours[name] ?? []).some((value) => isSame(value, found[name]));
  const whole = isRecord(current) ? undefined : current === undefined ? {} : { value: current };
  const kept = Object.keys(fields).some(isStillOurs) ? earlier?.whole : whole;
  if (kept !== undefined) note.whole = kept;
  for (const [name, value] of Object.entries(fields)) {
    const before = Object.hasOwn(found, name) ? { value: found[name] } : {};
    note.before[name] = isStillOurs(name) ? (earlier?.before[name] ?? {}) : before;
    const others = (earlier?.ours[name] ?? []).filter((each) => !isSame(each, value));
    note.ours[name] = [...others, value].slice(-MAX_OURS);
  }
  const isDifferent = Object.entries(fields).some(([name, value]) => !isSame(found[name], value));
  return { value: { ...found, ...fields }, note, isDifferent };
}

/** The setting as it was: only fields that still are ours are put back. Nothing at all is `undefined`. */
export function undoMerge(current: unknown, { whole, before, ours }: MergeNote): unknown {
  if (!isRecord(current)) return current;
  const value = { ...current };
  for (const [name, was] of Object.entries(before)) {
    if (!Object.hasOwn(current, name) || !(ours[name] ?? []).some((each) => isSame(each, current[name]))) continue;
    if ('value' in was) value[name] = was.value;
    else delete value[name];
  }
  return whole !== undefined && Object.keys(value).length === 0 ? whole.value : value;
}

/** Whether two values of settings are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** Whether it is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
