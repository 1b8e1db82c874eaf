/** A file that came to be, as git writes it. Without a text it is not one that can be shown in lines. */
export function newFileDiff(path: string, text: string | undefined, mode = '100644'): string {
  const [from, to] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = `diff --git ${from} ${to}\nnew file mode ${mode}\n`;
  if (text === undefined) return `${head}Binary files /dev/null and ${to} differ\n`;
  if (text === '') return head;
  // A tab behind a name with spaces tells where it ends.
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  const range = lines.length === 1 ? '+1' : `+1,${lines.length}`;
  const body = lines.map((line) => `+${line}\n`).join('');
  return `${head}--- /dev/null\n+++ ${to}${path.includes(' ') ? '\t' : ''}\n@@ -0,0 ${range} @@\n${body}${isEnded ? '' : '\\ No newline at end of file\n'}`;
}

const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\r': 'r', '"': '"', '\\': '\\' };

/** Git puts names in quotes that would break a line. */
function quoted(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name;
  const inside = name.replaceAll(
    /["\\\p{Cc}]/gu,
    (sign) => `\\${LETTERS[sign] ?? sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inside}"`;
}
