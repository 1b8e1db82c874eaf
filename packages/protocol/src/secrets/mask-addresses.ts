import { looksLikeKey } from './looks-like-key.ts';
import { type Keep, MASK } from './mask.ts';
import { soundsSecret } from './secret-names.ts';

/** An address and its parts: scheme, user, host, path, query and fragment. */
const ADDRESS =
  /([a-z][a-z0-9+.-]{0,20}:\/\/)(?:([^/?#\s"'<>]{0,400})@)?([^/?#\s"'<>]{0,300})([^?#\s"'<>]*)(\?[^#\s"'<>]*)?(#[^\s"'<>]*)?/gi;
/** Numbers, versions, dates and single words, such as `2`, `2024-10-21-preview` and `eu`. */
const PLAIN = /^(?:v?\d{1,4}(?:[.-]\d{1,4}){0,3}(?:-[a-z]{1,10})?|[a-z]{1,12}|)$/i;

/**
 * A text with the addresses in it as people may see them: without a name and password, without what stands in a query unless
 * it is plain, and without what looks like a key on the way there. Rather too much than too little.
 */
export function maskAddresses(text: string, keep: Keep = () => MASK): string {
  if (!text.includes('://')) return text; // Most texts have none, and the search below is slow.
  // By hand, because an address that is put together anew would spell the mask in percent signs.
  return text.replaceAll(
    ADDRESS,
    (_all, scheme: string, user: string | undefined, host: string, path: string, query = '', fragment = '') =>
      [
        scheme,
        user === undefined ? '' : `${maskUser(user, keep)}@`,
        host,
        path.replaceAll(/[^/]+/g, (place) => (looksLikeKey(place) ? keep(place) : place)),
        maskPairs(query, keep),
        fragment.includes('=') ? maskPairs(fragment, keep) : fragment,
      ].join(''),
  );
}

function maskUser(user: string, keep: Keep): string {
  // Alone they are what others would repeat.
  for (const piece of user.split(':')) keep(piece);
  return keep(user);
}

/** `?a=1&b=2`, or the same after another sign. */
function maskPairs(pairs: string, keep: Keep): string {
  return pairs.replaceAll(/([?#&])([^=&]*)(?:=([^&]*))?/g, (_pair, sign: string, name: string, value?: string) => {
    if (value === undefined) return `${sign}${PLAIN.test(name) ? name : keep(name)}`;
    return `${sign}${name}=${value !== '' && isSecretParameter(name, value) ? keep(value) : value}`;
  });
}

/** Whether what is sent along with a call under a name may be a key. */
export function isSecretParameter(name: string, value: string): boolean {
  return soundsSecret(name) || !PLAIN.test(value);
}

/** Whether an address in a text carries a password, also one that stands for a password in examples. */
export function carriesPassword(text: string): boolean {
  return /:\/\/[^/\s@]{0,400}:[^/\s@]{1,400}@/.test(text);
}
