import { MASK, maskAddresses, maskCommand } from '@dragoman/protocol/secrets';
import { isReference } from './resolve-references.ts';

/**
 * A text of the configuration that is no secret as a whole, without the password or the key of an address. What is a
 * reference stays; everything else does, too, because people edit it.
 */
export function maskInText(text: string): string {
  return maskAddresses(text, masked);
}

/** A list of the configuration under its name; where it is a command, without the keys among its words. */
export function maskInList(list: readonly unknown[], name: PropertyKey | undefined): readonly unknown[] {
  const isCommand = name === 'command' && list.every((word) => typeof word === 'string');
  return isCommand ? maskCommand(list, masked) : list;
}

function masked(secret: string): string {
  const password = secret.replace(/^[^:{]*:/, '');
  return isReference(secret) || isReference(password) ? secret : MASK;
}
