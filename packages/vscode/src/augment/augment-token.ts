import { DragomanError } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import type * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';
import { newToken } from '../server/server-token.ts';
import { augmentWords } from './augment-words.ts';

/** The token of the Augment extension: one of its own, which asks models and searches code and administers nothing. */
export interface AugmentToken {
  /** The kept one while the server knows it, otherwise a new one. */
  of(server: RunningServer): Promise<string>;
  /** Ends it. Where the server is away or does not answer, it is ended by `clearUp` when it is back. */
  revoke(server: RunningServer | undefined): Promise<void>;
  /** Ends what could not be ended before. */
  clearUp(server: RunningServer): Promise<void>;
}

/** The least role that may ask a model. */
const ROLE = 'member';
const KEPT_AS = 'dragoman.augmentToken';
/** The name that the tokens of this editor have on any server, told apart from those of other machines. */
const NAMED = 'dragoman.augmentTokenName';
const IS_LEFT = 'dragoman.augmentTokenIsLeft';
/** How long the server that was left behind is waited for. */
const LIMIT_MS = 10_000;

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
  const name = async (): Promise<string> => {
    const known = globalState.get<string>(NAMED) ?? `Augment extension (${newToken().slice(0, 8)})`;
    await globalState.update(NAMED, known);
    return known;
  };
  const liveAt = async (server: RunningServer): Promise<string[]> => {
    const [own, { tokens }] = await Promise.all([name(), createConsoleClient(server).listTokens()]);
    return tokens.filter((each) => each.name === own).map(({ id }) => id);
  };
  const revokeAt = async (server: RunningServer, ids: readonly string[]): Promise<void> => {
    for (const tokenId of ids) await createConsoleClient(server).revokeToken({ tokenId });
  };
  const clearUp = async (server: RunningServer): Promise<void> => {
    if (globalState.get<boolean>(IS_LEFT) !== true) return;
    await revokeAt(server, await liveAt(server));
    await globalState.update(IS_LEFT, undefined);
  };
  return {
    async of(server) {
      const live = await liveAt(server);
      const known = await kept();
      if (known !== undefined && live.includes(known.id)) return known.text;
      const { token, text } = await make(server, await name());
      await secrets.store(KEPT_AS, JSON.stringify({ id: token.id, text, url: server.url } satisfies Kept));
      await revokeAt(server, live);
      await globalState.update(IS_LEFT, undefined);
      if (known !== undefined && known.url !== server.url) void revokeItself(known);
      return text;
    },
    async revoke(server) {
      const known = await kept();
      if (known === undefined) return;
      await globalState.update(IS_LEFT, true);
      await secrets.delete(KEPT_AS);
      if (server === undefined) return;
      await clearUp(server);
      if (known.url !== server.url) await revokeItself(known);
    },
    clearUp,
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

/** At a server that is the window's no more: a token may end itself. One that cannot be reached keeps it until somebody revokes it there. */
async function revokeItself({ id, text, url }: Kept): Promise<void> {
  try {
    const client = createConsoleClient({ url, token: text, signal: AbortSignal.timeout(LIMIT_MS) });
    await client.revokeToken({ tokenId: id });
  } catch {
    // It is away, or has forgotten the token.
  }
}
