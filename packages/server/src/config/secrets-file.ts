import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

const contentSchema = z.record(z.string(), z.string());

/**
 * The file behind `{secret:name}`: a JSON object that only its owner can read.
 *
 * One that others can read is refused, because whatever stands in it should be thought of as known.
 */
export class SecretsFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): ReadonlyMap<string, string> {
    if (!existsSync(this.#file)) return new Map();
    const mode = statSync(this.#file).mode & 0o777;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new DragomanError(
        'config-invalid',
        `${this.#file} can be read by other users (mode ${mode.toString(8)}); run: chmod 600 ${this.#file}`,
      );
    }
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      content = undefined; // The parser's message repeats what it read.
    }
    const parsed = contentSchema.safeParse(content);
    if (!parsed.success)
      throw new DragomanError(
        'config-invalid',
        `${this.#file} is not a JSON object of names and texts; correct it or remove it`,
      );
    return new Map(Object.entries(parsed.data));
  }

  set(name: string, value: string): void {
    this.change(new Map([[name, value]]));
  }

  /** Sets or takes out several at once. Returns what puts everything back. */
  change(entries: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, string | undefined> {
    const before = this.read();
    this.#write(withSecrets(before, entries));
    return new Map([...entries.keys()].map((name) => [name, before.get(name)]));
  }

  /** False when there was no secret of that name. */
  remove(name: string): boolean {
    const secrets = new Map(this.read());
    const wasThere = secrets.delete(name);
    if (wasThere) this.#write(secrets);
    return wasThere;
  }

  #write(secrets: ReadonlyMap<string, string>): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`, 0o600);
  }
}

/** Secrets as they are after a change. A name that could not be referred to is refused. */
export function withSecrets(
  secrets: ReadonlyMap<string, string>,
  entries: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, string> {
  const changed = new Map(secrets);
  for (const [name, value] of entries) {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
      throw new DragomanError(
        'bad-request',
        `${JSON.stringify(name)} is not a valid secret name; it must start with a letter or digit, followed by letters, digits, ".", "-" and "_"`,
      );
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}
