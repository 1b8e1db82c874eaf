const TOKEN = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
const MAX_TOKENS = 8;
const MAX_QUERY_LENGTH = 64;

/** What of a question can be looked for as it stands: its words and names, or its beginning where it has none. */
export function searchTokens(query: string): string[] {
  const tokens = [...new Set(query.match(TOKEN))].slice(0, MAX_TOKENS);
  return tokens.length === 0 ? [beginning(query)] : tokens;
}

/** Half of a character outside the basic plane would not survive on a command line. */
function beginning(query: string): string {
  return query.slice(0, MAX_QUERY_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}
