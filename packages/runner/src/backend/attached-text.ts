/** What is attached to a prompt, as text; nothing where it is something else. */
export function attachedText(base64: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
