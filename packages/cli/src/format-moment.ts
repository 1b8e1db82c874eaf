/** `2026-01-31 08:15`, in universal time: lists are compared between machines. */
export function formatMoment(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
