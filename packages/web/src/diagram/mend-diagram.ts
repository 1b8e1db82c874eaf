/**
 * A Mermaid diagram that was refused, with what is often written and Mermaid has another meaning for put into its quotes: brackets and
 * semicolons in labels of a flowchart, and semicolons in messages of a sequence. Nothing where there is nothing to mend.
 */
export function mendDiagram(text: string): string | undefined {
  const mended = mend(text);
  return mended === text ? undefined : mended;
}

function mend(text: string): string {
  const kind = /^\s*(flowchart|graph|sequenceDiagram)\b/m.exec(text)?.[1];
  if (kind === undefined) return text;
  if (kind === 'sequenceDiagram')
    return text.replaceAll(/^[^:\n]*:.*;.*$/gm, (line) => line.replaceAll(/(?<!#\w+);/g, '#59;'));
  return (
    text
      // Two brackets in a row, or a slash behind one, are other shapes.
      .replaceAll(/(\w)\[(?![[(/\\"])([^"\]\n]*[(){};@<>|][^"\]\n]*)\](?!\])/g, '$1["$2"]')
      .replaceAll(/(\w)\{(?![{"])([^"}\n]*[()[\];@<>|][^"}\n]*)\}(?!\})/g, '$1{"$2"}')
      .replaceAll(/\|(?!")([^"|\n]*[()[\]{};@][^"|\n]*)\|/g, '|"$1"|')
  );
}
