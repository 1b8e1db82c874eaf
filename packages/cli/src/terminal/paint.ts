import { inspect, styleText } from 'node:util';

/** The styles that are used, by the names Node gives them. */
export type StyleName = 'bold' | 'dim' | 'italic' | 'underline' | 'strikethrough' | 'cyan' | 'green' | 'red' | 'yellow';
export type Style = readonly StyleName[];

export const RESET = '\u001B[0m';

/** Gives a whole text a style, or leaves it as it is where there is no colour. */
export type Paint = (style: StyleName | Style, text: string) => string;

/** Whether there is colour was decided by the caller; Node must not decide it again. */
export function painter(isColored: boolean): Paint {
  if (!isColored) return (_style, text) => text;
  return (style, text) =>
    text === '' ? '' : styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false });
}

/** What turns a style on; `RESET` turns it off. */
export function styleOn(style: Style): string {
  return style.length === 0 ? '' : `\u001B[${style.map((name) => inspect.colors[name]![0]).join(';')}m`;
}
