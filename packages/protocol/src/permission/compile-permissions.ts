import { byStrength, CompiledRule, subjectTexts } from './compiled-rule.ts';
import { describeDecision } from './describe-decision.ts';
import type { PermissionOptions } from './path-pattern.ts';
import type {
  PermissionAction,
  PermissionDecision,
  PermissionExplanation,
  PermissionQuestion,
  PermissionRule,
  PermissionSubject,
  SubjectExplanation,
} from './permission.ts';
import { matchesWildcard } from './wildcard.ts';

/** Rules that are ready to answer. */
export interface CompiledPermissions {
  /** What they were compiled with. */
  readonly options: PermissionOptions;
  decide(question: PermissionQuestion): PermissionDecision;
  /** The same decision, with every rule that had a say. */
  explain(question: PermissionQuestion): PermissionExplanation;
}

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 };
/** Tools whose rules are kept at hand; names come from models, which make them up. */
const MAX_TOOLS = 256;

/**
 * Makes rules ready to decide. Each subject is decided alone, and the question as strictly as its strictest subject.
 *
 * Of the rules that match a subject, a deny always wins. Else the highest layer does, then the most specific pattern (the
 * one with more literal characters, and one without wildcards before one with them), then the more literal tool name, then
 * the later rule. What no rule matches is asked about.
 *
 * Patterns: `*` is any run of characters, slashes included, `?` one character; `[*]`, `[?]` and `[[]` are the characters
 * themselves. Paths: see `compilePathPattern`. A command that ends in ` *` also means the command without arguments.
 * `*.example.com` is every host below `example.com`, on any port where none is given.
 *
 * Where it is not certain what a subject is, the stricter reading counts: `*.ts` in an allow is about the project alone,
 * and a deny or ask for `rm *` also sees `sudo /bin/rm x`.
 */
export function compilePermissions(
  rules: readonly PermissionRule[],
  options: PermissionOptions = {},
): CompiledPermissions {
  const strongestFirst = rules.map((rule, index) => new CompiledRule(rule, index, options)).sort(byStrength);
  const byTool = new Map<string, CompiledRule[]>();

  const rulesOf = (tool: string): CompiledRule[] => {
    let known = byTool.get(tool);
    if (known === undefined) {
      if (byTool.size >= MAX_TOOLS) byTool.clear();
      known = strongestFirst.filter((rule) => matchesWildcard(rule.tool, tool));
      byTool.set(tool, known);
    }
    return known;
  };

  const decideSubject = (tool: string, subject: PermissionSubject | undefined): PermissionDecision => {
    const texts = subjectTexts(subject, options);
    const decisive = rulesOf(tool).find((rule) => rule.verdict(subject, texts) === true);
    return toDecision(tool, subject, decisive?.rule);
  };

  const explainSubject = (tool: string, subject: PermissionSubject | undefined): SubjectExplanation => {
    const texts = subjectTexts(subject, options);
    const matches: PermissionRule[] = [];
    const heldBack: SubjectExplanation['heldBack'] = [];
    for (const compiled of rulesOf(tool)) {
      const verdict = compiled.verdict(subject, texts);
      if (verdict === true) matches.push(compiled.rule);
      else if (verdict !== false) heldBack.push({ rule: compiled.rule, unless: verdict });
    }
    return { ...toDecision(tool, subject, matches[0]), matches, heldBack };
  };

  return {
    options,
    decide: ({ tool, subjects }) => strictest(subjectsOf(subjects).map((subject) => decideSubject(tool, subject))),
    explain({ tool, subjects }) {
      const explained = subjectsOf(subjects).map((subject) => explainSubject(tool, subject));
      const { action, rule, subject, reason } = strictest(explained);
      return { action, ...(rule && { rule }), ...(subject && { subject }), reason, subjects: explained };
    },
  };
}

function subjectsOf(subjects: readonly PermissionSubject[]): readonly (PermissionSubject | undefined)[] {
  return subjects.length === 0 ? [undefined] : subjects;
}

function strictest<Decision extends PermissionDecision>(decisions: readonly Decision[]): Decision {
  return decisions.reduce((one, other) => (STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one));
}

function toDecision(
  tool: string,
  subject: PermissionSubject | undefined,
  rule: PermissionRule | undefined,
): PermissionDecision {
  const action = rule?.action ?? 'ask';
  const reason = describeDecision(tool, subject, rule);
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}
