/** One change of a file of settings, in the format that it has. */
export type FileEdit =
  | { format: 'json'; path: readonly string[]; value: unknown }
  | { format: 'toml'; key: string; value: string }
  | { format: 'toml'; table: string; values: Readonly<Record<string, string>> }
  | { format: 'yaml'; key: string; value: string }
  | { format: 'yaml'; list: string; item: Readonly<Record<string, unknown>>; head: Readonly<Record<string, string>> }
  | { format: 'env'; name: string; value: string };
