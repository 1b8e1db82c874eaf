/** What went wrong in the middle of an answer, as the client shows it. */
export function errorText(message: string): string {
  return `[dragoman] ${message}\n`;
}
