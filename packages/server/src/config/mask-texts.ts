import { maskedCommand } from './masked-command.ts';
import { isReference } from './resolve-references.ts';
import { MASK } from './secret.ts';

const SECRET_QUERY = /([?&][^=&#]*(?:key|token|secret|sig|auth|pass|code)[^=&#]*=)([^&#]+)/gi;
const LOGIN = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/**
 * A text of the configuration that is no secret as a whole, without the password or the key of an address. What is a
 * reference stays; everything else does, too, because people edit it.
 */
export function maskInText(text: string): string {
  const keep = (_all: string, before: string, secret: string) => `${before}${masked(secret)}`;
  return text
    .replace(LOGIN, (all, scheme: string, login: string) => `${keep(all, scheme, login)}@`)
    .replaceAll(SECRET_QUERY, keep);
}

/** A list of the configuration under its name; where it is a command, without the keys among its words. */
export function maskInList(list: readonly unknown[], name: PropertyKey | undefined): readonly unknown[] {
  const isCommand = name === 'command' && list.every((word) => typeof word === 'string');
  return isCommand ? maskedCommand(list, masked) : list;
}

function masked(secret: string): string {
  const password = secret.replace(/^[^:{]*:/, '');
  return isReference(secret) || isReference(password) ? secret : MASK;
}
