/** A field to spread into an object, or nothing where the other side sent nothing. */
export function optional<Key extends string, Value>(key: Key, value: Value | null | undefined): { [K in Key]?: Value } {
  return (value === undefined || value === null ? {} : { [key]: value }) as { [K in Key]?: Value };
}
