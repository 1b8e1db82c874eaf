import { inspect } from 'node:util';
import { MASK } from '@dragoman/protocol/secrets';
import { z } from 'zod';

/**
 * A value that must not be shown. It prints, serialises and logs as a mask;
 * whoever needs the text says so with `reveal()`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return `Secret(${MASK})`;
  }
}

/** A secret in the configuration: a string, best given as a reference such as `{env:NAME}`. */
export const secretSchema = z
  .string()
  .min(1)
  .meta({ writeOnly: true })
  .transform((value) => new Secret(value));
