import type { ExplainedPlace } from '@dragoman/context';
import { formatTable } from './format-table.ts';
import { cleanLine } from './terminal/clean-text.ts';

/** Why a place ranked, one reason a line: `+41 %  Words in the text  retry, call`. */
export function showReasons(why: ExplainedPlace['why']): string {
  if (why.length === 0) return '';
  const rows = why.map(({ weight, title, detail = '' }) => [`${percent(weight)} %`, title, cleanLine(detail)]);
  const lines = formatTable(['why', '', ''], rows).split('\n');
  return `${lines.map((line) => `    ${line}`).join('\n')}\n`;
}

/** With its sign, as some speak against the place. */
function percent(weight: number): string {
  const rounded = Math.round(weight * 100);
  return `${weight < 0 ? '-' : '+'}${Math.abs(rounded)}`.padStart(4);
}
