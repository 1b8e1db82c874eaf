import { askedAbout, type AskedPart, type AskedQuestion } from './asked-question.ts';
import { hasLettersFromRight } from './written-order.ts';

/** Signs that mean something by what stands before and behind them. */
const SYNTAX = /[<>|&;$`(){}[\]=*\\/]/;

/**
 * The same for a place that shows nothing but text, such as a chat. Letters from right to left turn around what stands
 * between them: `cat א > ב` is seen as `cat ב < א`. The console keeps the order as it was written; here there is no yes.
 */
export function askedInText(approval: Parameters<typeof askedAbout>[0]): AskedQuestion {
  const { parts, isWhole } = askedAbout(approval);
  return { parts, isWhole: isWhole && !parts.some(isTurned) };
}

function isTurned({ type, text, label = '', isAside }: AskedPart): boolean {
  if (isAside === true) return false;
  if (hasLettersFromRight(label)) return true;
  if (!hasLettersFromRight(text)) return false;
  if (type === 'command' || type === 'subject') return true;
  return text.split('\n').some((line) => hasLettersFromRight(line) && SYNTAX.test(line));
}
