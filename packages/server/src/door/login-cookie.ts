const NAME = 'dragoman_login';

/** The browser's token, out of reach for scripts and for other sites. */
export function loginCookie(token: string, options: { maxAgeSeconds: number; isSecure: boolean }): string {
  return `${NAME}=${token}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Strict${options.isSecure ? '; Secure' : ''}`;
}

export function readLoginCookie(header: string | undefined): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME && value !== undefined && value !== '') return value;
  }
  return undefined;
}
