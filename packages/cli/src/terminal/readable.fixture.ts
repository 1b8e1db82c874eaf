const NAMES: Readonly<Record<string, string>> = {
  0: '/',
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  9: 'strike',
  22: '/',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
  39: '/',
};

// oxlint-disable-next-line no-control-regex
const STYLE = /\u001B\[([\d;]+)m/g;
// oxlint-disable-next-line no-control-regex
const LINK = /\u001B\]8;;([^\u001B]*)\u001B\\/g;

/** Styles as names in angle quotes, so that a test can be read: `‹bold›word‹/›`. */
export function readable(text: string): string {
  return text
    .replace(
      STYLE,
      (_, codes: string) =>
        `‹${codes
          .split(';')
          .map((code) => NAMES[code])
          .join(' ')}›`,
    )
    .replace(LINK, (_, url: string) => (url === '' ? '‹/link›' : `‹link ${url}›`));
}
