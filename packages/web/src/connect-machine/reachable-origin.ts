type Place = Pick<Location, 'hostname' | 'origin' | 'port' | 'protocol'>;

/** Whether an address means the machine that asks, whichever that is. */
export function isOnlyHere({ hostname }: Pick<Place, 'hostname'>): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  );
}

/** Where another machine finds the server; a word to be replaced where that cannot be known from here. */
export function reachableOrigin(place: Place): string {
  if (!isOnlyHere(place)) return place.origin;
  return `${place.protocol}//ADDRESS${place.port === '' ? '' : `:${place.port}`}`;
}
