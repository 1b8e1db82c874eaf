import type { DiagramLook } from './draw-diagram.ts';

type Rgb = [red: number, green: number, blue: number];

/** Every colour that a Mermaid diagram of any kind may use. What stands on a colour is written in ink, so none is strong. */
export function diagramTheme(look: DiagramLook): Record<string, unknown> {
  const { ground, raised, ink, soft, line, border, accent, warn, bad, isDark, hues } = look;
  const wash = (hue: string, share = isDark ? 0.3 : 0.2) => mix(hue, ground, share);
  const numbered = (name: string, first: number, count: number, colour: (hue: string) => string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_none, index) => [`${name}${index + first}`, colour(hues[index % hues.length]!)]),
    );
  const strong = isDark ? 0.5 : 0.4;
  return {
    darkMode: isDark,
    fontFamily: look.fontFamily,
    fontSize: '14px',
    background: ground,
    textColor: ink,
    titleColor: ink,
    lineColor: line,
    arrowheadColor: line,
    primaryColor: wash(accent, isDark ? 0.22 : 0.12),
    primaryTextColor: ink,
    primaryBorderColor: mix(accent, ground, 0.6),
    secondaryColor: raised,
    secondaryTextColor: ink,
    secondaryBorderColor: border,
    tertiaryColor: raised,
    tertiaryTextColor: ink,
    tertiaryBorderColor: border,
    noteBkgColor: wash(warn),
    noteTextColor: ink,
    noteBorderColor: mix(warn, ground, 0.5),
    edgeLabelBackground: ground,
    clusterBkg: raised,
    clusterBorder: border,
    // sequence
    actorLineColor: border,
    signalColor: soft,
    signalTextColor: ink,
    labelBoxBkgColor: raised,
    labelBoxBorderColor: border,
    activationBkgColor: wash(accent, 0.3),
    activationBorderColor: mix(accent, ground, 0.6),
    sequenceNumberColor: ground,
    // state, class, entities
    compositeBackground: raised,
    compositeTitleBackground: wash(accent, 0.1),
    altBackground: raised,
    specialStateColor: soft,
    innerEndBackground: soft,
    relationLabelBackground: ground,
    rowOdd: ground,
    rowEven: raised,
    attributeBackgroundColorOdd: ground,
    attributeBackgroundColorEven: raised,
    // Gantt
    sectionBkgColor: raised,
    sectionBkgColor2: raised,
    altSectionBkgColor: ground,
    excludeBkgColor: raised,
    gridColor: mix(border, ground, 0.6),
    taskBkgColor: wash(hues[0]!, strong),
    taskBorderColor: mix(hues[0]!, ground, 0.7),
    taskTextColor: ink,
    taskTextLightColor: ink,
    taskTextDarkColor: ink,
    taskTextOutsideColor: ink,
    taskTextClickableColor: ink,
    activeTaskBkgColor: wash(hues[1]!, strong),
    activeTaskBorderColor: mix(hues[1]!, ground, 0.7),
    doneTaskBkgColor: mix(soft, ground, 0.2),
    doneTaskBorderColor: border,
    critBkgColor: wash(bad, strong),
    critBorderColor: bad,
    todayLineColor: bad,
    vertLineColor: soft,
    // pie, mindmap, timeline, journey, git, Venn
    ...numbered('pie', 1, 12, (hue) => wash(hue, isDark ? 0.55 : 0.45)),
    pieOpacity: '1',
    pieStrokeColor: ground,
    pieOuterStrokeColor: border,
    pieOuterStrokeWidth: '1px',
    pieTitleTextSize: '18px',
    pieSectionTextSize: '14px',
    pieLegendTextSize: '14px',
    pieSectionTextColor: ink,
    ...numbered('cScale', 0, 12, (hue) => wash(hue, strong)),
    ...numbered('cScaleInv', 0, 12, (hue) => mix(hue, ground, 0.8)),
    ...numbered('cScalePeer', 0, 12, (hue) => mix(hue, ground, 0.7)),
    ...numbered('cScaleLabel', 0, 12, () => ink),
    ...numbered('fillType', 0, 8, (hue) => wash(hue)),
    ...numbered('surface', 0, 5, (hue) => wash(hue)),
    ...numbered('git', 0, 8, (hue) => mix(hue, ground, 0.95)),
    ...numbered('gitInv', 0, 8, () => ground),
    ...numbered('gitBranchLabel', 0, 8, () => (isDark ? ground : '#ffffff')),
    commitLabelColor: ink,
    commitLabelBackground: raised,
    commitLabelFontSize: '12px',
    tagLabelFontSize: '12px',
    ...numbered('venn', 1, 8, (hue) => mix(hue, ground, 0.7)),
    // quadrants and charts
    ...Object.fromEntries(
      [1, 2, 3, 4].flatMap((number) => [
        [`quadrant${number}Fill`, number % 2 === 1 ? wash(accent, 0.12) : raised],
        [`quadrant${number}TextFill`, soft],
      ]),
    ),
    quadrantPointFill: accent,
    quadrantInternalBorderStrokeFill: border,
    quadrantExternalBorderStrokeFill: border,
    xyChart: {
      backgroundColor: ground,
      ...Object.fromEntries(
        ['title', 'dataLabel', 'legendText', 'xAxisTitle', 'xAxisLabel', 'yAxisTitle', 'yAxisLabel'].map((part) => [
          `${part}Color`,
          ink,
        ]),
      ),
      ...Object.fromEntries(
        ['xAxisTick', 'xAxisLine', 'yAxisTick', 'yAxisLine'].map((part) => [`${part}Color`, border]),
      ),
      plotColorPalette: hues.map((hue) => mix(hue, ground, 0.7)).join(','),
    },
    radar: {
      axisColor: line,
      axisStrokeWidth: 1,
      axisLabelFontSize: 12,
      curveOpacity: 0.5,
      curveStrokeWidth: 2,
      graticuleColor: border,
      graticuleStrokeWidth: 1,
      graticuleOpacity: 0.2,
      legendBoxSize: 12,
      legendFontSize: 12,
    },
    packet: {
      byteFontSize: '11px',
      startByteColor: soft,
      endByteColor: soft,
      labelColor: ink,
      labelFontSize: '13px',
      titleColor: ink,
      titleFontSize: '14px',
      blockStrokeColor: border,
      blockStrokeWidth: '1',
      blockFillColor: raised,
    },
    // architecture
    archEdgeColor: line,
    archEdgeArrowColor: line,
    archGroupBorderColor: border,
  };
}

/** What no colour of a theme reaches. */
export function diagramStyle({ ground, ink, line, border, isDark, fontFamily }: DiagramLook): string {
  return [
    `text { font-family: ${fontFamily} !important; }`,
    '.mindmap-node > :is(circle, rect, polygon) + .label text { text-anchor: middle; }',
    // So that no line goes through them.
    `.edgeLabel rect, .edgeLabel .label rect { fill: ${ground}; opacity: 1; }`,
    `marker.er circle { fill: ${ground}; }`,
    `.node-labels text, text.journey-section, text.task { fill: ${ink}; }`,
    `.grid .tick line { stroke: ${mix(border, ground, 0.6)}; }`,
    // Relations of C4.
    `[stroke='#444444'] { stroke: ${line}; } text[fill='#444444'] { fill: ${ink}; }`,
    // Behind messages of a sequence; mostly chosen for a light page.
    isDark ? 'rect.rect { fill-opacity: 0.2; }' : '',
  ].join('\n');
}

/** So much of one colour on another. */
function mix(colour: string, ground: string, share: number): string {
  const [over, under] = [rgb(colour), rgb(ground)];
  const hex = over.map((part, index) =>
    Math.round(part * share + under[index]! * (1 - share))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

/** Of `#rrggbb`, or of `#rgb`, which a style sheet makes of it where it can. */
function rgb(colour: string): Rgb {
  const digits = colour.length === 4 ? colour.replaceAll(/\w/g, '$&$&') : colour;
  const number = Number.parseInt(digits.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
