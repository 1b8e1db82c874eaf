import type { HubParts } from '../../hub-parts.ts';

/** A page of the console, where it has an address that a phone can reach. */
export function consoleLink({ config }: Pick<HubParts, 'config'>, path: string): string | undefined {
  const { publicUrl } = config().server ?? {};
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return undefined;
  const url = new URL(publicUrl);
  if (isOwnMachine(url.hostname)) return undefined;
  return url.href.replace(/\/$/, '') + path;
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
}
