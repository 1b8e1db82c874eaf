const MAX_CHARS = 1000;

/**
 * An address that Telegram can make a link of: a page at a host with a dot in its name. It takes nothing else, and what it
 * does not understand it reads as a host, so that a mailbox would become a page with a password.
 */
export function webAddress(href: string): string | undefined {
  // Looked at as it was written, because a parser mends what should rather be refused ("https:evil.example").
  if (!/^https?:\/\/[^\s/?#]/i.test(href) || href.length > MAX_CHARS || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.hostname.includes('.') && url.href.length <= MAX_CHARS ? url.href : undefined;
}
