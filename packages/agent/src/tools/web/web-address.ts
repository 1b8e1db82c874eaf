import { ToolError } from '../tool.ts';

/** Reads an address that this tool may fetch, and says what is wrong with any other. */
export function toAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null)
    throw new ToolError(`"${text}" is not an address. Give it in full, such as https://example.com/page.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolError(`${url.href} cannot be fetched: only http and https addresses can, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new ToolError(
      `Addresses with a user name or password in them are not fetched; leave out what stands before the @.`,
    );
  return url;
}

/** The host as permissions know it: with its port only where that is not the usual one. */
export function hostOf(url: URL): string {
  return url.host.replace(/\.(?=:|$)/, '');
}
