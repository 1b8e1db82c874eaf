import type { TextRules } from './text-rules.ts';

/** A fenced block that is more than code: its backticks and the language that says so. */
export interface OpenedFence {
  kind: 'tool' | 'result';
  language: string;
  ticks: number;
}

const OPENING = /^ {0,3}(`*)[ \t]*([\w-]*)([ \t]*)$/;

/** Whether a line opens a fenced block that the rules name. A line that is not whole may have to wait. */
export function matchFence(line: string, isWhole: boolean, fences: TextRules['fences']): OpenedFence | 'none' | 'wait' {
  const [, backticks = '', language = '', after = ''] = OPENING.exec(line) ?? ['', '', 'x'];
  const known = [...(fences?.tool ?? []), ...(fences?.result ?? [])];
  if (known.length === 0) return 'none';
  const lower = language.toLowerCase();
  if (!isWhole) {
    if (backticks.length < 3) return language === '' && after === '' ? 'wait' : 'none';
    return known.some((one) => (after === '' ? one.toLowerCase().startsWith(lower) : one.toLowerCase() === lower))
      ? 'wait'
      : 'none';
  }
  if (backticks.length < 3 || language === '') return 'none';
  const isIn = (list: readonly string[] = []) => list.some((one) => one.toLowerCase() === lower);
  if (isIn(fences?.tool)) return { kind: 'tool', language: lower, ticks: backticks.length };
  return isIn(fences?.result) ? { kind: 'result', language: lower, ticks: backticks.length } : 'none';
}

/** Whether a line closes a block of so many backticks, or may do so when it is whole. */
export function matchFenceEnd(line: string, isWhole: boolean, ticks: number): 'end' | 'none' | 'wait' {
  const found = /^ {0,3}(`*)[ \t]*$/.exec(line);
  if (found === null) return 'none';
  if (!isWhole) return 'wait';
  return found[1]!.length >= ticks ? 'end' : 'none';
}

/** How many backticks this line opens ordinary code with; 0 when it does not. */
export function codeTicks(line: string): number {
  return /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1]?.length ?? 0;
}
