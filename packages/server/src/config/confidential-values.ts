import { maskAddresses } from '@dragoman/protocol/secrets';
import { Secret } from './secret.ts';

/** Everything in a configuration that must not be told on: its secrets, and the keys and passwords in its addresses. */
export function confidentialValues(config: unknown): string[] {
  const values: string[] = [];
  // A growing list, not recursion: it grows while it is gone through.
  const places = [config];
  for (const place of places) {
    if (place instanceof Secret) values.push(place.reveal());
    else if (typeof place === 'string')
      maskAddresses(place, (secret) => {
        values.push(secret);
        return secret;
      });
    else if (typeof place === 'object' && place !== null) places.push(...Object.values(place));
  }
  return values;
}
