import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { z } from 'zod';

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
        `${this.#file} is not a JSON object of names and texts; mend it or remove it`,
      );
    return new Map(Object.entries(parsed.data));
  }

  set(name: string, value: string): void {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
      throw new DragomanError(
        'bad-request',
        `a secret's name begins with a letter or digit and goes on with letters, digits, ".", "-" and "_", unlike ${JSON.stringify(name)}`,
      );
    this.#write(new Map(this.read()).set(name, value));
  }

  /** False when there was no secret of that name. */
  remove(name: string): boolean {
    const secrets = new Map(this.read());
    const wasThere = secrets.delete(name);
    if (wasThere) this.#write(secrets);
    return wasThere;
  }

  /** Written beside and renamed, so that a reader sees the old file or the new one. */
  #write(secrets: ReadonlyMap<string, string>): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, this.#file);
  }
}
