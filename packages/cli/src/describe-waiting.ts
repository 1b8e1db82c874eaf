/** What it means that records of model calls wait for the store. */
export function describeWaiting(records: number): string {
  return `usage of ${records} ${records === 1 ? 'model call' : 'model calls'} is kept in the data folder until the database is available`;
}
