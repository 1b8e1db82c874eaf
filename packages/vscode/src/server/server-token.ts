import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';

const OWN = 'dragoman.serverToken';
/** Where the token of a server that the person runs is kept. */
export const FOREIGN_TOKEN = 'dragoman.urlToken';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** How long a window that came second waits for the first one to keep what it made. */
const PATIENCE_MS = 3_000;
const POLL_MS = 50;

/**
 * The token of the servers that this editor starts: made once, kept by the editor.
 *
 * Two windows of a fresh installation ask at the same moment; a file that only one can make decides which of them makes
 * the token. It has no lower-case letter because the Augment extension upper-cases what it is given.
 */
export async function ownToken(
  secrets: vscode.SecretStorage,
  storage: string,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<string> {
  const kept = await secrets.get(OWN);
  if (kept !== undefined) return kept;
  if (!(await isFirst(storage))) {
    for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
      const made = await secrets.get(OWN);
      if (made !== undefined) return made;
      await delay(POLL_MS);
    }
  }
  const token = newToken();
  await secrets.store(OWN, token);
  return token;
}

/** The token of a server that the person runs. It belongs to one address and is never sent to another. */
export async function foreignToken(secrets: vscode.SecretStorage, url: string): Promise<string | undefined> {
  try {
    const kept = JSON.parse((await secrets.get(FOREIGN_TOKEN)) ?? '') as { url?: unknown; token?: unknown };
    return kept.url === url && typeof kept.token === 'string' ? kept.token : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the token of a server that the person runs, in place of the one before. */
export async function keepForeignToken(secrets: vscode.SecretStorage, url: string, token: string): Promise<void> {
  await secrets.store(FOREIGN_TOKEN, JSON.stringify({ url, token }));
}

/** From here on, a server that the person runs is left alone. */
export async function forgetForeignToken(secrets: vscode.SecretStorage): Promise<void> {
  await secrets.delete(FOREIGN_TOKEN);
}

/** 200 random bits in 40 characters. */
export function newToken(): string {
  return Array.from(randomBytes(40), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

async function isFirst(storage: string): Promise<boolean> {
  await mkdir(storage, { recursive: true });
  try {
    await (await open(join(storage, 'token-made'), 'wx', 0o600)).close();
    return true;
  } catch {
    return false;
  }
}
