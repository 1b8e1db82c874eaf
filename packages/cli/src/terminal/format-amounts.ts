/** `40 ms`, `3.2 s`, `1 min 12 s`, `1 h 2 min`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 95) return `${Math.round(whole)} ms`;
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `1 step`, `1,200 steps`. */
export function formatCount(count: number, one: string, many: string = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `12,345`: written by hand, because loading a locale costs more than all else that is shown. */
export function formatNumber(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `$1.20`, `$0.0031`: at least two figures that mean something. */
export function formatCost(dollars: number): string {
  return dollars >= 0.1 ? `$${dollars.toFixed(2)}` : `$${dollars.toFixed(4)}`;
}
