/** Where a link leads. */
export type LinkTarget =
  | { type: 'address'; href: string; host: string }
  | { type: 'file'; path: string; line: number | undefined }
  | undefined;

/**
 * Where a link in a text by somebody else may lead: to an address on the web, to a mailbox, or to a file of the project.
 * Everything else is no link.
 */
export function linkTarget(target: string | null | undefined): LinkTarget {
  if (target === null || target === undefined || target.length > 4096) return undefined;
  // Browsers pass over white space and marks that nobody sees; here such an address is none.
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  if (/[\u0000-\u0020\u007f-\u00a0\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\\]/.test(target.trim()))
    return undefined;
  const text = target.trim();
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const { href, host } = new URL(text);
    return { type: 'address', href, host };
  }
  if (/^mailto:[^:]+@[^:]+$/i.test(text) && URL.canParse(text))
    return { type: 'address', href: new URL(text).href, host: '' };
  return fileTarget(text);
}

const FILE = /^(?:\.{0,2}\/)?(?:[\p{L}\p{N}_@.()[\]+-]+\/)*[\p{L}\p{N}_@.()[\]+-]+$/u;

/** A file of the project, with a line: `src/a.ts:12`, `src/a.ts#L12`. */
function fileTarget(text: string): LinkTarget {
  if (text.length > 500) return undefined;
  const [, path = '', line] = /^([^:#]+)(?:(?::|#L)(\d{1,7})(?:[:-]L?\d{1,7})?)?$/.exec(text) ?? [];
  if (!FILE.test(path) || !/[./]/.test(path) || /^\.+$/.test(path)) return undefined;
  return { type: 'file', path: path.replace(/^\.\//, ''), line: line === undefined ? undefined : Number(line) };
}

/** Whether code within a line names a file: it has a folder or a line, and an end that files have. */
export function mentionedFile(code: string): LinkTarget {
  return /\.[a-z]\w{0,9}(?:[:#]L?\d[\d:-]*)?$/i.test(code) && (code.includes('/') || /:\d/.test(code))
    ? fileTarget(code)
    : undefined;
}
