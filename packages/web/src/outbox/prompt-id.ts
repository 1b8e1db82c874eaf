/** An id for a prompt, made here so that a repeated call is the same prompt. */
export function newPromptId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `msg_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
