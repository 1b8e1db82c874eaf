/** What it means that a server left records of model calls behind, and nobody has stored them since. */
export function describeLeftBehind(records: number): string {
  return `usage of about ${records} ${records === 1 ? 'model call' : 'model calls'} is kept in the data folder until a server starts on it`;
}

/** What it means that records of model calls wait for the store. */
export function describeWaiting(records: number): string {
  return `usage of ${records} ${records === 1 ? 'model call' : 'model calls'} is kept in the data folder until the database is available`;
}
