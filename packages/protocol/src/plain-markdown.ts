const CODE = /(?<!`)(`+)(?!`)((?:(?!\1)[^\n]|\n(?!\n)){1,1000}?)(?<!`)\1(?!`)/g;
const TAGS = /<\/?(?:details|summary|br|kbd|sub|sup|b|strong|i|em|code|del|p)(?: open)? *\/?>/gi;

/**
 * A text in Markdown as plain words, for where it is shown in a line or two: lists, search hits, notifications.
 * What stands in code stays as it is, and so do its lines; only signs and the addresses behind words are left out.
 */
export function plainMarkdown(text: string): string {
  const codes: string[] = [];
  const keep = (code: string) => `\uFDD0${codes.push(code) - 1}\uFDD1`;
  const words = text
    .replaceAll(/[\uFDD0\uFDD1]/g, '\uFFFD')
    .replaceAll(
      /^[ \t]*(`{3,}|~{3,})[^\n`]*\n([^]*?)(?:\n?^[ \t]*\1[ \t]*$|$(?![^]))/gm,
      (_all, _marks, code: string) => keep(code),
    )
    .replaceAll(CODE, (_all, _marks, code: string) => keep(code.replace(/^ (.*) $/s, '$1')))
    .replaceAll(/\\([!-/:-@[-`{-~])/g, (_all, sign: string) => keep(sign));
  return plainBlocks(plainInline(words)).replaceAll(
    /\uFDD0(\d{1,9})\uFDD1/g,
    (_all, index: string) => codes[Number(index)] ?? '',
  );
}

function plainInline(text: string): string {
  return text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, '')
    .replaceAll(/^ {0,3}\[\^?[^\]\n]{1,200}\]:[^\n]*$/gm, '')
    .replaceAll(/\[\^[^\]\s]{1,50}\]/g, '')
    .replaceAll(
      /!?\[((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,1000})\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?(?:\)|$)|\[[^\]\n]{0,200}\])/g,
      '$1',
    )
    .replaceAll(/<((?:https?:\/\/|mailto:)[^<>\s]{1,2000})>/g, '$1')
    .replaceAll(TAGS, '')
    .replaceAll(/(\*{1,3}|~~)(?=\S)([^*~\n]{1,2000}?)(?<=\S)\1/g, '$2')
    .replaceAll(/(\*{1,3}|~~)(?=\S)([^*~\n]{1,2000}?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w_])(_{1,3})(?=\S)([^\n]{1,2000}?)(?<=\S)\1(?![\w_])/g, '$2')
    .replaceAll(/\*\*(?=\S)/g, '');
}

function plainBlocks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\|?[\s:|-]*-{3,}[\s:|-]*|(?:\*\s*){3,}|={3,})$/.test(line))
    .map((line) =>
      line
        .replace(/^(?:\s{0,8}>)+ ?/, '')
        .replace(/^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/, '')
        .replace(/^\s{0,3}#{1,6}(?:\s+|$)/, '')
        .replace(/^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?/, '$1')
        .replace(/^\s*\|(.*)\|\s*$/, (_all, cells: string) =>
          cells
            .split('|')
            .map((cell) => cell.trim())
            .filter((cell) => cell !== '')
            .join(' · '),
        ),
    )
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
