/** What a tool returned, for protocols that have no word for its failure. */
export function resultText(text: string, isError: boolean): string {
  return isError ? `${FAILED}\n${text}` : text;
}

export const FAILED = 'The tool failed:';
