import './no-document.ts';
import { renderMermaidSVG } from 'beautiful-mermaid';
import type { DiagramAsk, DiagramAnswer } from './draw-diagram.ts';
import { statementLines } from './statement-lines.ts';

/** A diagram larger than this is no diagram that somebody reads. */
const MAX_SVG = 1_000_000;

globalThis.onmessage = ({ data }: MessageEvent<DiagramAsk>) => {
  globalThis.postMessage(answerTo(data));
};

function answerTo({ text, colours }: DiagramAsk): DiagramAnswer {
  try {
    const svg = renderMermaidSVG(statementLines(text), {
      ...colours,
      font: 'system-ui',
      padding: 16,
      transparent: true,
    });
    if (svg.length > MAX_SVG || /NaN|undefined/.test(svg.slice(0, 500))) return {};
    // Fonts of other places are never asked for.
    return { svg: svg.replaceAll(/@import url\([^)]*\);/g, '') };
  } catch {
    return {};
  }
}
