import type { AgentMessage, Fault } from '@dragoman/protocol';
import { CHECK_RULES, type CheckRule, type CheckRuleId } from './check-rules.ts';
import { visibleText } from './visible-text.ts';

/** How a rule stands: broken advice is a warning, and what had no occasion was not judged. */
export type CheckStatus = 'passed' | 'failed' | 'warning' | 'not-judged';

/** A rule and what was seen of it. */
export interface CheckedRule {
  id: CheckRuleId;
  sentence: string;
  status: CheckStatus;
  /** What was seen where it is broken, or why it was not judged. */
  seen: readonly string[];
  mend: string;
}

/** What came of a check. */
export interface CheckReport {
  isConforming: boolean;
  rules: readonly CheckedRule[];
  events: number;
  /** What the agent said in the first turn, in its final form. */
  messages: readonly AgentMessage[];
  /** Why it could not be started or did not answer, and what to do, where the agent itself said so. */
  problem?: Fault;
}

/** More of the same teaches nothing. */
const MOST_SEEN = 5;

/** Collects what is seen of each rule. */
export class Findings {
  readonly #hide: (text: string) => string;
  readonly #broken = new Map<CheckRuleId, string[]>();
  readonly #judged = new Set<CheckRuleId>();
  readonly #reasons = new Map<CheckRuleId, string>();

  /** `hide` takes out of a text what nobody may read. */
  constructor(hide: (text: string) => string = (text) => text) {
    this.#hide = hide;
  }

  /** The rule had its occasion. Where it was not kept, `seen` says what happened instead. */
  judge(id: CheckRuleId, isKept: boolean, seen: string | (() => string)): void {
    this.#judged.add(id);
    if (isKept) return;
    const list = this.#broken.get(id) ?? [];
    this.#broken.set(id, list);
    const text = this.#hide(typeof seen === 'string' ? seen : seen());
    if (list.length < MOST_SEEN && !list.includes(text)) list.push(text);
  }

  /** Why a rule cannot be judged. */
  pass(id: CheckRuleId, reason: string): void {
    this.#reasons.set(id, reason);
  }

  isBroken(id: CheckRuleId): boolean {
    return this.#broken.has(id);
  }

  /** Every rule, in the order in which they are listed. */
  rules(): CheckedRule[] {
    return (Object.entries(CHECK_RULES) as [CheckRuleId, CheckRule][]).map(([id, rule]) => {
      const broken = this.#broken.get(id);
      const { sentence, mend } = rule;
      if (broken !== undefined)
        return { id, sentence, status: rule.isAdvice === true ? 'warning' : 'failed', seen: broken, mend };
      if (this.#judged.has(id)) return { id, sentence, status: 'passed', seen: [], mend };
      return { id, sentence, status: 'not-judged', seen: [this.#reasons.get(id) ?? 'there was no occasion'], mend };
    });
  }
}

const WORDS: Record<CheckStatus, string> = {
  passed: 'ok',
  failed: 'FAILED',
  warning: 'warning',
  'not-judged': '-',
};

/** The report as a table for people. What the agent said in it cannot do anything to a terminal. */
export function formatCheck(report: CheckReport): string {
  const width = Math.max(...report.rules.map(({ id }) => id.length));
  const lines = report.rules.flatMap((rule) => [
    `${WORDS[rule.status].padEnd(8)} ${rule.id.padEnd(width)}  ${rule.sentence}`,
    ...rule.seen.map(
      (seen) => `${''.padEnd(width + 11)}${rule.status === 'not-judged' ? '' : 'seen: '}${visibleText(seen)}`,
    ),
    ...(rule.status === 'failed' || rule.status === 'warning' ? [`${''.padEnd(width + 11)}mend: ${rule.mend}`] : []),
  ]);
  const count = (status: CheckStatus) => report.rules.filter((rule) => rule.status === status).length;
  const numbers = `${count('passed')} kept, ${count('failed')} broken, ${count('warning')} warnings, ${count('not-judged')} not judged`;
  return [
    ...lines,
    '',
    `${report.isConforming ? 'The agent conforms' : 'The agent does not conform'}: ${numbers}.`,
  ].join('\n');
}
