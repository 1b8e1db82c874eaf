import mermaid from 'mermaid';
import { diagramStyle, diagramTheme } from './diagram-theme.ts';
import type { DiagramAnswer, DiagramAsk } from './draw-diagram.ts';
import { mendDiagram } from './mend-diagram.ts';
import { toPicture } from './to-picture.ts';

/** The document that draws diagrams for the page it is in. Only that page can reach it. */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<DiagramAsk>) => {
  void answerTo(data).then((answer) => port?.postMessage(answer));
});

async function answerTo({ text, look }: DiagramAsk): Promise<DiagramAnswer> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    // Firefox draws on the thread of the page, which waits for it.
    maxEdges: 250,
    // A picture shows labels that are HTML differently from browser to browser.
    htmlLabels: false,
    theme: 'base',
    darkMode: look.isDark,
    fontFamily: look.fontFamily,
    themeVariables: diagramTheme(look),
    themeCSS: diagramStyle(look),
    gantt: { fontSize: 12, sectionFontSize: 12, barHeight: 22 },
    // What a diagram may not set, wherever in its settings: how it is kept safe, and how it looks on this page.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'dompurifyConfig',
      'theme',
      'themeVariables',
      'themeCSS',
      'darkMode',
      'fontFamily',
      'altFontFamily',
    ],
  });
  try {
    return { svg: toPicture(await draw(text.replaceAll(NOT_IN_XML, ''))) };
  } catch {
    return {};
  } finally {
    document.body.replaceChildren();
  }
}

// oxlint-disable-next-line no-control-regex -- these are what XML has no way to write
const NOT_IN_XML = /[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

async function draw(text: string): Promise<string> {
  try {
    return (await mermaid.render('diagram', text)).svg;
  } catch (error) {
    const mended = mendDiagram(text);
    if (mended === undefined) throw error;
    return (await mermaid.render('diagram', mended)).svg;
  }
}
