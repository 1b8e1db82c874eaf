import type { Role, UserId } from '@dragoman/protocol';
import type { Caller } from './caller.ts';
import { hashToken, isSameHash } from './token-text.ts';

/** Tokens that were given to this process, by option or environment, and end with it. They are kept nowhere. */
export class ProcessTokens {
  readonly #tokens: { hash: Uint8Array; caller: Caller }[] = [];

  add(text: string, user: { id: UserId; name: string; role: Role }): void {
    const caller = {
      userId: user.id,
      userName: user.name,
      role: user.role,
      tokenName: 'given at start',
      tokenId: undefined,
    };
    this.#tokens.push({ hash: hashToken(text), caller });
  }

  verify(text: string): Caller | undefined {
    const hash = hashToken(text);
    return this.#tokens.find((token) => isSameHash(token.hash, hash))?.caller;
  }
}
