import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What `{env:NAME}`, `{file:path}` and `{secret:name}` are looked up in. */
export interface ReferenceSources {
  env: Readonly<Record<string, string | undefined>>;
  /** The configuration file; a relative `{file:…}` starts from its folder. */
  configFile: string;
  secrets: () => ReadonlyMap<string, string>;
}

/** A reference and the setting it stands in. */
export interface Reference {
  path: PropertyKey[];
  /** As written: `env:NAME`. */
  name: string;
}

/** The value with what was found, and what was not. */
export interface ResolvedReferences {
  value: unknown;
  found: Reference[];
  missing: (Reference & { message: string })[];
}

const REFERENCE = /\{(env|file|secret):([^{}]+)\}/g;

/** Whether a text is a reference and nothing more, except for a word before it: `Bearer {env:KEY}`. */
export function isReference(text: string): boolean {
  return text.search(REFERENCE) !== -1 && /^(?:[A-Za-z]+ )?$/.test(text.replaceAll(REFERENCE, ''));
}

/** The references that stand in a value, looked up nowhere. */
export function listReferences(input: unknown, path: readonly PropertyKey[] = []): Reference[] {
  if (typeof input === 'string')
    return [...input.matchAll(REFERENCE)].map(([, kind, target]) => ({ path: [...path], name: `${kind}:${target}` }));
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([key, item]) =>
    listReferences(item, [...path, Array.isArray(input) ? Number(key) : key]),
  );
}

/**
 * Puts the values in place of the references, in every text of the configuration.
 *
 * A reference may be a whole value or a piece of one (`"Bearer {env:KEY}"`). One that cannot be resolved is reported
 * with its setting, and the others are resolved all the same.
 */
export function resolveReferences(input: unknown, sources: ReferenceSources): ResolvedReferences {
  const found: Reference[] = [];
  const missing: ResolvedReferences['missing'] = [];

  const visit = (value: unknown, path: PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]));
    }
    if (typeof value !== 'string') return value;
    return value.replace(REFERENCE, (written, kind: 'env' | 'file' | 'secret', target: string) => {
      const reference = { path, name: `${kind}:${target}` };
      found.push(reference);
      try {
        return LOOK_UP[kind](target, sources);
      } catch (error) {
        missing.push({ ...reference, message: (error as Error).message });
        return written;
      }
    });
  };

  return { value: visit(input, []), found, missing };
}

const LOOK_UP: Record<'env' | 'file' | 'secret', (target: string, sources: ReferenceSources) => string> = {
  env(name, { env }) {
    const value = env[name];
    if (value === undefined || value === '')
      throw new Error(`the environment variable ${name} is not set; set it, or remove {env:${name}}`);
    return value;
  },
  file(path, { configFile }) {
    const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(dirname(configFile), path);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new Error(
        `${file} cannot be read (${(error as NodeJS.ErrnoException).code}); create it, or change {file:${path}}`,
        { cause: error },
      );
    }
  },
  secret(name, { secrets }) {
    const value = secrets().get(name);
    if (value === undefined)
      throw new Error(`there is no secret named ${name}; add it with: dragoman secret set ${name}`);
    return value;
  },
};
