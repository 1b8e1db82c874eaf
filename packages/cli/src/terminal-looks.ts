import { rawOutput } from './terminal/print.ts';

/** What standard output can show. */
export interface TerminalLooks {
  isColored: boolean;
  /** In columns; `Infinity` where it is no terminal. A line that fills the last column would wrap on some. */
  width: number;
}

/** Colour is for terminals, and for those who did not say that they want none. */
export function terminalLooks(output: NodeJS.WriteStream = rawOutput, env = process.env): TerminalLooks {
  return {
    isColored: output.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb',
    width: output.isTTY ? (output.columns || 80) - 1 : Number.POSITIVE_INFINITY,
  };
}
