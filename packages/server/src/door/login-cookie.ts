import type { IncomingHttpHeaders } from 'node:http';

/** What only pages of this server can read and send: scripts of another port or site have another origin. */
export const PAGE_SECRET_HEADER = 'x-dragoman-page';

/** One half of the browser's login, out of reach for scripts and for other sites. */
export function loginCookie(
  value: string,
  options: { host: string | undefined; maxAgeSeconds: number; isSecure: boolean },
): string {
  return `${cookieName(options.host)}=${value}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Strict${options.isSecure ? '; Secure' : ''}`;
}

export function readLoginCookie({ host, cookie }: IncomingHttpHeaders): string | undefined {
  const wanted = cookieName(host);
  for (const pair of cookie?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** Cookies are shared by the ports of a host, so two servers on one machine need two names. */
function cookieName(host = ''): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? 'dragoman_login' : `dragoman_login_${port}`;
}
