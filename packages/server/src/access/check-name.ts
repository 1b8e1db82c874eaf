import { DragomanError } from '@dragoman/protocol';

/**
 * Names stand in tables, logs and commits: one line that is not long, with something to see in it. Signs that turn the
 * direction of writing would rearrange what stands around it.
 */
export function checkName(whose: string, name: string): void {
  const isPlain = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,100}$/u.test(name);
  if (isPlain && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return;
  throw new DragomanError(
    'bad-request',
    `${whose}'s name must be 1 to 100 characters on one line, with at least one visible character.`,
  );
}
