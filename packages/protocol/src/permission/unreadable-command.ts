const [OPEN, CLOSE] = ['<unreadable>', '</unreadable>'] as const;

/**
 * The subject that stands for a shell text of which a reader cannot tell what it runs.
 *
 * Marks stand at both ends, so that neither a rule for a beginning (`git *`) nor one for an end (`* --version`) matches by
 * accident: only `*`, or a rule that spells the marks, does.
 */
export function unreadableCommand(text: string): string {
  return `${OPEN} ${text.trim()} ${CLOSE}`;
}

/** The shell text that such a subject stands for, without its marks; undefined for every other one. */
export function unreadableText(value: string): string | undefined {
  return isUnreadableCommand(value) ? value.slice(OPEN.length, -CLOSE.length).trim() : undefined;
}

/** Whether a subject stands for a text that cannot be read; allowing such a one for ever helps nobody. */
export function isUnreadableCommand(value: string): boolean {
  return value.startsWith(OPEN) && value.endsWith(CLOSE);
}
