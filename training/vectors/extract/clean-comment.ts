const NOT_SAID =
  /copyright|licen[sc]e|eslint|prettier-ignore|istanbul|@ts-|noqa|nolint|pylint|all rights reserved|generated|spdx|c8 ignore|#region|inheritdoc|版权/i;
const TAG =
  /^[@\\](param|return|throws|see|since|author|type|template|default|deprecated|example|internal|private|public|api|var|link|property|typedef|callback|implements|override|date|version|class|description)/i;
const SECTION =
  /^(Args|Arguments|Parameters|Returns|Raises|Examples?|Notes?|References|See Also|Usage|Yields|Attributes|# (Examples?|Panics|Errors|Safety)|参数|返回|示例)\s*[:：]?\s*$/i;
const MARKS = /^\s*(\/\*\*?!?|\*\/|\*|\/\/[/!]?|#+|--+\s*\|?|"""|'''|<!--|;+)\s?/;
const MARKS_AT_END = /\*\/\s*$|"""\s*$|'''\s*$|-->\s*$/;

/** What a comment says in its first two sentences, without marks, tags and links; empty where it says nothing of the code. */
export function cleanComment(lines: readonly string[]): string {
  const said: string[] = [];
  for (const raw of lines) {
    let line = raw.replace(MARKS, '').replace(MARKS_AT_END, '').trim();
    const described = /^[@\\](?:description|brief|desc)\s+(.*)$/i.exec(line);
    if (described !== null) line = described[1]!;
    else if (TAG.test(line)) {
      if (!/^[@\\]returns?\s/i.test(line) || said.join(' ').length >= 20) break;
      line = line.replace(/^[@\\]returns?\s*(\{[^}]*\})?/i, 'returns');
    }
    if (SECTION.test(line) || /^(```|>>>|----|====|~~~~|:\w+)/.test(line)) break;
    if (line === '') {
      if (said.join(' ').length > 30) break;
      continue;
    }
    said.push(line);
    if (said.join(' ').length > 320) break;
  }
  const text = said
    .join(' ')
    .replaceAll(/\{@\w+\s+([^}]*)\}/g, '$1')
    .replaceAll(/<\/?[a-zA-Z][^>]{0,80}>/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/&\w+;/g, ' ');
  return NOT_SAID.test(text) ? '' : twoSentences(text).trim();
}

function twoSentences(text: string): string {
  if (text.length <= 160) return text;
  const first = /^(.{25,}?[.!?。！？])\s*(?=[A-Z\u3400-\u9fff])/.exec(text);
  if (first === null) return text;
  if (first[1]!.length >= 90) return first[1]!;
  const second = /^(.{10,}?[.!?。！？])(\s|$)/.exec(text.slice(first[0].length));
  return second === null ? first[1]! : `${first[1]} ${second[1]}`;
}

/** Whether a text is more than a name: two English words, or four Chinese characters. */
export function isWordy(text: string): boolean {
  return /[a-z]{2,}\s+[a-z]{2,}/i.test(text) || (text.match(/[\u3400-\u9fff]/g)?.length ?? 0) >= 4;
}
