const KEY = 'dragoman.page-secret';
const USER_KEY = 'dragoman.user';
/** Where the service worker finds it, which has no local storage. */
const CACHE = 'dragoman-login';
const CACHED = '/page-secret';

/** Somebody as their browser remembers them. */
interface KnownUser {
  userId: string;
  name: string;
}

/**
 * The half of the browser's login that no cookie carries. Only pages of this origin can read it, so a program on another
 * port of the host, which is sent the cookie, has nothing.
 */
let current: string | undefined;

export function pageSecret(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? current;
  } catch {
    return current; // Storage is turned off; the login then lasts as long as the page.
  }
}

/** Calls when another page of this browser logs in or out. */
export function whenLoginChanges(listener: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

export async function keepPageSecret(secret: string | undefined): Promise<void> {
  if (secret === undefined) return;
  current = secret;
  try {
    localStorage.setItem(KEY, secret);
    if ('caches' in globalThis) await (await caches.open(CACHE)).put(CACHED, new Response(secret));
  } catch {
    // As above.
  }
}

/**
 * Who logged in here last, whatever became of the cookie since: a program on another port of the host can write over that,
 * and nobody is to be logged in as somebody else for it.
 */
export function lastUser(): KnownUser | undefined {
  try {
    return JSON.parse(localStorage.getItem(USER_KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepUser({ userId, name }: KnownUser): void {
  try {
    localStorage.setItem(USER_KEY, JSON.stringify({ userId, name }));
  } catch {
    // As above.
  }
}

export async function forgetPageSecret(): Promise<void> {
  current = undefined;
  try {
    localStorage.removeItem(KEY);
    localStorage.removeItem(USER_KEY);
    if ('caches' in globalThis) await caches.delete(CACHE);
  } catch {
    // It was never kept.
  }
}
