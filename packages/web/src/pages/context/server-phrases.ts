/** What the server says in English about files, and the same in Chinese. Numbers, names and paths stay as they are. */
const IN_CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^No rule matches$/, '没有规则匹配'],
  [/, so the folder (.+) is left out$/, '，因此整个文件夹 $1 被排除'],
  [/^The folder is left out, and only what is taken back in it is not: /, '文件夹被排除，只有其中被恢复的内容除外：'],
  [/^left out: /, '排除：'],
  [/^taken back: /, '恢复：'],
  [/Entered because of line (\d+)/, '因第 $1 行而进入'],
  [/ in line (\d+)/, '（第 $1 行）'],
  [/Text of (\d+) bytes/, '$1 字节的文本'],
  [/Large file: (\d+) bytes; the limit is (\d+)/, '文件太大：$1 字节，上限 $2'],
  [/Binary file: not UTF-8/, '二进制文件：不是 UTF-8'],
  [/Binary file/, '二进制文件'],
  [/^Private key$/, '含有私钥'],
  [/Not a file/, '不是文件'],
  [/File not readable/, '文件无法读取'],
  [/Changed while being read/, '读取时发生变化'],
  [/ is in the list$/, ' 在列表中'],
  [
    /^(.+) is not there any more\. Put it back, or remove the workspace\.$/,
    '$1 已不存在。请恢复它，或移除这个工作区。',
  ],
];

const KINDS: Readonly<Record<string, string>> = {
  test: '测试',
  example: '示例',
  document: '文档',
  benchmark: '性能测试',
  'from elsewhere': '外来代码',
  generated: '生成的',
  header: '头文件',
  'types only': '仅类型',
  entry: '入口',
  internal: '内部',
  legacy: '旧代码',
  script: '脚本',
  contract: '接口约定',
  'for one platform': '特定平台',
  code: '代码',
};

/** A sentence of the server in Chinese, as far as it is known. */
export function phraseInChinese(text: string): string {
  return IN_CHINESE.reduce((said, [english, chinese]) => said.replace(english, chinese), text);
}

/** What a reason is about, in Chinese. Most are words of the question or names, which stay as they are. */
export function detailInChinese(reason: string, detail: string): string {
  switch (reason) {
    case 'kind-of-file':
      return detail
        .split(', ')
        .map((kind) => KINDS[kind] ?? kind)
        .join('、');
    case 'used-by-others':
      return detail
        .replace(/([\d,]+) files? imports? it/, '被 $1 个文件导入')
        .replace(/([\d,]+) names? it/, '被 $1 个文件提及')
        .replace(', ', '，');
    case 'size-and-depth':
      return detail.replace(/([\d,]+) lines?/, '$1 行');
    case 'meaning':
      return detail.replace(/nearest at line ([\d,]+), (-?\d+) of 100/, '最接近处在第 $1 行，$2/100');
    default:
      return detail;
  }
}
