import { Code2, Workflow } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Code } from '../code/code-block.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { type DiagramLook, drawDiagram } from './draw-diagram.ts';
import { diagramWords } from './diagram-words.ts';

/** A Mermaid diagram, drawn; its source is one press away, and stands there where it cannot be drawn. */
export function DiagramView({ text }: { text: string }) {
  const words = diagramWords.use();
  const [isSource, setSource] = useState(false);
  const { picture, hasFailed } = usePicture(text);
  if (picture === undefined)
    return (
      <div className="flex flex-col gap-1">
        <Code text={text} language="mermaid" />
        {hasFailed && <p className="text-xs text-faint">{words.cannotDraw}</p>}
      </div>
    );
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-panel">
      <div className="flex h-8 items-center justify-end border-b border-line bg-raised pr-0.5 pl-3">
        <figcaption className="flex-1 font-mono text-2xs text-faint">{words.diagram}</figcaption>
        <IconButton
          label={isSource ? words.showDiagram : words.showSource}
          icon={isSource ? <Workflow size={14} aria-hidden /> : <Code2 size={14} aria-hidden />}
          onClick={() => setSource(!isSource)}
        />
        <CopyButton text={text} label={words.copySource} />
      </div>
      {isSource ? (
        <Code text={text} language="mermaid" isBare className="rounded-none border-0" />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
        <div tabIndex={0} role="group" aria-label={words.diagram} className="max-h-[36rem] overflow-auto p-2">
          <img src={picture} alt={words.pictureOf(kindOf(text))} className="mx-auto h-auto max-w-[max(100%,36rem)]" />
        </div>
      )}
    </figure>
  );
}

/** The word that a diagram begins with, behind its settings and comments. */
function kindOf(text: string): string {
  const [kind = ''] = /[^\s;]*/.exec(
    text
      .replace(/^\s*---\n.*?\n---\s*\n/s, '')
      .replaceAll(/%%.*$/gm, '')
      .trim(),
  )!;
  return kind.slice(0, 40);
}

/** The picture in the colours of the page. The last one stays until the next is drawn. */
function usePicture(text: string): { picture: string | undefined; hasFailed: boolean } {
  const theme = useShownTheme();
  const [drawn, setDrawn] = useState<{ text: string; picture: string | undefined }>();
  useEffect(() => {
    let isOver = false;
    void drawDiagram(text, lookOfPage()).then((picture) => {
      if (!isOver) setDrawn({ text, picture });
    });
    return () => {
      isOver = true;
    };
  }, [text, theme]);
  const isThis = drawn?.text === text;
  return { picture: isThis ? drawn.picture : undefined, hasFailed: isThis && drawn.picture === undefined };
}

function useShownTheme(): string | undefined {
  return useSyncExternalStore(followTheme, () => document.documentElement.dataset['theme']);
}

function followTheme(onChange: () => void): () => void {
  const themes = new MutationObserver(onChange);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => themes.disconnect();
}

/** The look of the page, in colours as they are written: `#rrggbb`. */
function lookOfPage(): DiagramLook {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    isDark: document.documentElement.dataset['theme'] === 'dark',
    fontFamily: style.fontFamily,
    ground: value('--panel'),
    raised: value('--raised'),
    ink: value('--ink'),
    soft: value('--soft'),
    line: value('--faint'),
    border: value('--line-strong'),
    accent: value('--accent'),
    warn: value('--warn'),
    bad: value('--bad'),
    hues: ['--accent', '--busy', '--warn', '--code-keyword', '--good', '--bad', '--code-number', '--faint'].map(value),
  };
}
