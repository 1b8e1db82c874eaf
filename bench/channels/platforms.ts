import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FakeLark, fakeLark } from '../../testkit/src/fake-lark/fake-lark.ts';
import { type FakeTelegram, fakeTelegram } from '../../testkit/src/fake-telegram/fake-telegram.ts';

/** The runner whose agent says what chats are to show. */
export const AGENT = fileURLToPath(new URL('runner.ts', import.meta.url));

/** Both platforms on this machine, with the limits that they document. */
export interface Platforms {
  telegram: FakeTelegram;
  lark: FakeLark;
  close(): Promise<void>;
}

/** Starts both. */
export async function openPlatforms(): Promise<Platforms> {
  const [telegram, lark] = [await fakeTelegram(), await fakeLark()];
  const close = async () => void (await Promise.all([telegram.close(), lark.close()]));
  return { telegram, lark, close };
}

/** Writes the configuration of a hub that has a bot on each of them, or none. */
export function configureBots(folder: string, platforms: Platforms | undefined): void {
  mkdirSync(join(folder, 'hub'), { recursive: true });
  const channels = platforms && {
    telegram: { token: platforms.telegram.token, apiUrl: platforms.telegram.url },
    lark: { appId: platforms.lark.appId, appSecret: platforms.lark.appSecret, domain: platforms.lark.url },
  };
  writeFileSync(join(folder, 'hub', 'dragoman.json'), JSON.stringify({ channels: channels ?? {} }), { mode: 0o600 });
}
