/** What it means that records of model calls wait for the store. */
export function describeWaiting(records: number): string {
  return `the usage of ${records} model calls waits in the data folder until the database takes it`;
}
