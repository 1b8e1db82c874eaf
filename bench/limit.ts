/** Prints what was measured beside the most it may be, in milliseconds of CPU. Over that, the benchmark fails. */
export function limit(what: string, measured: number, most: number): void {
  const isKept = measured <= most;
  console.log(`${what.padEnd(66)} ${measured.toFixed(3).padStart(8)} ms   limit ${most} ms${isKept ? '' : '  missed'}`);
  if (!isKept) process.exitCode = 1;
}
