/** A variable or a header while it is edited. The id keeps its line the same while names change. */
export interface Pair {
  id: number;
  name: string;
  value: string;
}

/** How a value says that it stands somewhere else: `{secret:name}`, `Bearer {env:NAME}`. */
const REFERENCE = /^(?:[A-Za-z]+ )?\{(?:secret|env|file):[^{}]+\}$/;
/** What the server shows in place of a secret that stands in the file. It is kept where it is sent back. */
const MASK = '••••••';

/** Whether a value can be shown: it says where a secret is, not what it is. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || value === MASK;
}

/** Lines to edit. */
export function pairsOf(given: unknown): Pair[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).map(([name, value], id) => ({ id, name, value: String(value) }));
}

/** Lines that say something. */
export function filledPairs(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(({ name, value }) => name.trim() !== '' || value !== '');
}

/** As they are tried before they are saved: in the clear. */
export function plainRecord(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(filledPairs(pairs).map(({ name, value }) => [name.trim(), value]));
}

/** As they are saved: every value is kept as a secret, and only referred to in the file. */
export function keptRecord(
  pairs: readonly Pair[],
  prefix: string,
): { record: Record<string, string>; secrets: Record<string, string> } {
  const record: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const { name, value } of filledPairs(pairs)) {
    if (isReference(value) || value === '') record[name.trim()] = value;
    else {
      const secret = secretName(`${prefix}.${name.trim()}`);
      record[name.trim()] = `{secret:${secret}}`;
      secrets[secret] = value;
    }
  }
  return { record, secrets };
}

/** The names of secrets that a setting refers to. */
export function secretsIn(setting: unknown): string[] {
  if (typeof setting === 'string') return [...setting.matchAll(/\{secret:([^{}]+)\}/g)].map(([, name]) => name!);
  if (typeof setting !== 'object' || setting === null) return [];
  return Object.values(setting).flatMap(secretsIn);
}

function secretName(wanted: string): string {
  return wanted.replaceAll(/[^\w.-]/g, '_').slice(0, 100);
}
