/** What an agent sent, before anything is known about it. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A value of the wire as fields. Agents of many makers and versions send what they like: whatever is not as it should be
 * reads as absent, and nothing that is read here ever throws.
 */
export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The fields below a name. */
export function fieldsIn(fields: Fields, name: string): Fields {
  return toFields(fields[name]);
}

/** A text that is not empty. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number that counts something: neither negative nor infinite. */
export function countIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The members of a list that are objects. */
export function listIn(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.map(toFields) : [];
}

/** The members of a list that are texts. */
export function textsIn(fields: Fields, name: string): string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** Whether something is offered: `true`, or an object that tells more. */
export function isOffered(fields: Fields, name: string): boolean {
  const value = fields[name];
  return value === true || (typeof value === 'object' && value !== null);
}
