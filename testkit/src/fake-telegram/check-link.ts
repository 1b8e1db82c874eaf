/**
 * A link as Telegram keeps it, or undefined where it takes none: http and https (which is also meant where nothing is
 * said) to a host with a dot in its name, and `tg:`.
 *
 * Everything else is read as a host, which is why `mailto:ann@example.org` becomes a web address with a password in it.
 */
export function checkLink(link: string): string | undefined {
  const tg = /^tg:(?:\/\/)?([a-z0-9_-]+)([/?#].*)?$/is.exec(link);
  if (tg !== null) return `tg://${tg[1]!.toLowerCase()}${tg[2] ?? ''}`;
  if (/^(tg|ton|tonsite):/i.test(link)) return undefined;
  const match = /^(?:(https?):\/\/)?([^/?#]*)([/?#].*)?$/is.exec(link.trim());
  if (match === null) return undefined;
  const [, protocol = 'http', authority = '', rest = ''] = match;
  const at = authority.lastIndexOf('@');
  const userInfo = at === -1 ? '' : authority.slice(0, at + 1);
  const place = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i.exec(authority.slice(at + 1));
  if (place === null) return undefined;
  const [, host = '', port] = place;
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return undefined;
  if (!host.startsWith('[') && (!host.includes('.') || /[<>"`{}|\\^%]/.test(host))) return undefined;
  // oxlint-disable-next-line no-control-regex -- Just those are written as percent signs.
  const path = (rest.startsWith('/') ? rest : `/${rest}`).replaceAll(/[\x00-\x20]/g, encodeURIComponent);
  return `${protocol.toLowerCase()}://${userInfo}${host.toLowerCase()}${port === undefined ? '' : `:${port}`}${path}`;
}
