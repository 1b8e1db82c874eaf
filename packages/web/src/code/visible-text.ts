/** Marks that change the order of what is read, and marks that nobody sees. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * A text in which nothing is hidden: code and commands are shown to be judged, and a mark that turns the order of the letters
 * around must not decide how they read.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, shown);
}

/** A text to be read, in which marks that turn the order of letters around are shown; what else is not seen does no harm. */
export function withVisibleTurns(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, shown);
}

function shown(mark: string): string {
  const code = mark.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
