/**
 * Words as they are, in Lark's Markdown.
 *
 * Lark has no backslash escapes: what would be markup is written as an HTML entity. With `<` and `&` among them, nothing
 * that anybody said becomes a mention, a colour or an image of ours.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[&<>*_~`[\]\\$|]/g, entity)
    .replaceAll(/:(?=[\w+-]{1,40}:)/g, entity)
    .replaceAll(/^([ \t]*)([#+-])/gm, (_, indent: string, mark: string) => `${indent}${entity(mark)}`);
}

/**
 * Code as it is. Two things in it are kept apart by a space without width: marks that would end it, and the tags by which
 * Lark calls people, since it is not said anywhere that those mean nothing in code.
 */
function escapeCode(code: string): string {
  return code.replaceAll(/``(?=`)/g, '``\u200b').replaceAll(/<(?=\/?(?:at|person|text_tag|number_tag)\b)/gi, '<\u200b');
}

/** A block of code, with the language that Lark colours it by. */
export function codeBlock(code: string, language = ''): string {
  return `\`\`\`${/^[\w+#.-]{1,30}$/.test(language) ? language : ''}\n${escapeCode(code)}\n\`\`\``;
}

/** Code within a line. What has marks of its own in it is shown as words: longer marks are not known to Lark. */
export function inlineCode(code: string): string {
  const line = code.replaceAll('\n', ' ');
  if (line.trim() === '') return '';
  return line.includes('`') ? escapeMarkdown(line) : `\`${escapeCode(line)}\``;
}

function entity(mark: string): string {
  return `&#${mark.charCodeAt(0)};`;
}
