import { DragomanError } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import type * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { newToken } from '../server/server-token.ts';
import { augmentWords } from './augment-words.ts';

/** The token of the Augment extension: one of its own, which asks models and searches code and administers nothing. */
export interface AugmentToken {
  /** The kept one while the server knows it and is where it was, otherwise a new one: somebody else may listen at the old address. */
  of(server: RunningServer): Promise<string>;
  /** Ends it, and only then resolves. The server is reached only where there is something to end; where it is not, `clearUp` does it when it is back. */
  revoke(reach: () => Promise<RunningServer>): Promise<void>;
  /** Whether one is still to be ended. */
  isLeft(): boolean;
  /** Ends what could not be ended before. */
  clearUp(server: RunningServer): Promise<void>;
}

/** The least role that may ask a model. */
const ROLE = 'member';
const KEPT_AS = 'dragoman.tokenForAugment';
/** The name that the tokens of this editor have on any server, told apart from those of other machines. */
const NAMED = 'dragoman.tokenForAugmentName';
const IS_LEFT = 'dragoman.tokenForAugmentIsLeft';
/** How long the server that was left behind is waited for. */
const LIMIT_MS = 10_000;
const ATTEMPTS = 3;

interface Kept {
  id: string;
  text: string;
  url: string;
}

/** It is made at the server's own door, in the name of the person, and kept with the secrets. */
export function augmentToken({
  secrets,
  globalState,
}: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>): AugmentToken {
  const kept = async (): Promise<Kept | undefined> => {
    const text = await secrets.get(KEPT_AS);
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  };
  // An editor may hand out a state that is a moment old, so what was just written is not read back.
  let own: string | undefined;
  const name = async (): Promise<string> => {
    own ??= globalState.get<string>(NAMED) ?? `Augment extension (${newToken().slice(0, 8)})`;
    await globalState.update(NAMED, own);
    return own;
  };
  const liveAt = async (server: RunningServer): Promise<string[]> => {
    const [ours, { tokens }] = await Promise.all([name(), createConsoleClient(server).listTokens()]);
    return tokens.filter((each) => each.name === ours).map(({ id }) => id);
  };
  const revokeAt = async (server: RunningServer, ids: readonly string[]): Promise<void> => {
    for (const tokenId of ids) await revokeOne(server, tokenId);
  };
  const revokeAll = async (server: RunningServer): Promise<string[]> => {
    const live = await liveAt(server);
    await revokeAt(server, live);
    await globalState.update(IS_LEFT, undefined);
    return live;
  };
  const isLeft = () => globalState.get<boolean>(IS_LEFT) === true;
  return {
    async of(server) {
      const live = await liveAt(server);
      const known = await kept();
      const isHere = known !== undefined && live.includes(known.id);
      if (isHere && known.url === server.url) return known.text;
      const { token, text } = await make(server, await name());
      await secrets.store(KEPT_AS, JSON.stringify({ id: token.id, text, url: server.url } satisfies Kept));
      await revokeAt(server, live);
      await globalState.update(IS_LEFT, undefined);
      if (known !== undefined && !isHere && known.url !== server.url) void revokeItself(known);
      return text;
    },
    async revoke(reach) {
      const known = await kept();
      if (known === undefined && !isLeft()) return;
      await globalState.update(IS_LEFT, true);
      await secrets.delete(KEPT_AS);
      const server = await reach();
      const revoked = await revokeAll(server);
      if (known !== undefined && !revoked.includes(known.id) && known.url !== server.url) await revokeItself(known);
    },
    isLeft,
    async clearUp(server) {
      if (isLeft()) await revokeAll(server);
    },
  };
}

async function make(server: RunningServer, name: string) {
  try {
    return await createConsoleClient(server).createToken({ name, role: ROLE });
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'forbidden') throw error;
    throw new DragomanError('forbidden', augmentWords.now().mayNotMakeToken(server.url), { cause: error });
  }
}

/** A connection that was kept open may turn out to be closed at the very moment it is used again; a token that is gone is what is wanted. */
async function revokeOne(server: RunningServer, tokenId: string): Promise<void> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      await createConsoleClient(server).revokeToken({ tokenId });
      return;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      if (error.code === 'not-found') return;
      if (!error.isRetryable || left === 0) throw error;
    }
  }
}

/** At a server that is the window's no more: a token may end itself. One that cannot be reached keeps it until somebody revokes it there. */
async function revokeItself({ id, text, url }: Kept): Promise<void> {
  try {
    const client = createConsoleClient({ url, token: text, signal: AbortSignal.timeout(LIMIT_MS) });
    await client.revokeToken({ tokenId: id });
  } catch {
    // It is away, or has forgotten the token.
  }
}
