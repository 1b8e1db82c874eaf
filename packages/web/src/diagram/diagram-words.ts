import { defineWords } from '../words/define-words.ts';

export const diagramWords = defineWords({
  en: {
    diagram: 'Diagram',
    pictureOf: (kind: string) => `Diagram (${kind})`,
    showSource: 'Show source',
    showDiagram: 'Show diagram',
    copySource: 'Copy source',
    cannotDraw: 'This diagram can’t be drawn here.',
  },
  zh: {
    diagram: '图表',
    pictureOf: (kind) => `图表（${kind}）`,
    showSource: '查看源码',
    showDiagram: '查看图表',
    copySource: '复制源码',
    cannotDraw: '无法在此绘制该图表。',
  },
});
