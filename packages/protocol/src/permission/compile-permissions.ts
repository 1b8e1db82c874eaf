import { byStrength, CompiledRule, subjectTexts } from './compiled-rule.ts';
import { describeDecision } from './describe-decision.ts';
import { namesAll, riskOf, runningWords } from './running-words.ts';
import type { PermissionOptions } from './path-pattern.ts';
import {
  PERMISSION_LAYERS,
  type PermissionAction,
  type PermissionDecision,
  type PermissionExplanation,
  type PermissionQuestion,
  type PermissionRule,
  type PermissionSubject,
  type SubjectExplanation,
} from './permission.ts';
import { isUnreadableCommand } from './unreadable-command.ts';
import { matchesWildcard } from './wildcard.ts';

/** Rules that are ready to answer. */
export interface CompiledPermissions {
  /** What they were compiled with. */
  readonly options: PermissionOptions;
  decide(question: PermissionQuestion): PermissionDecision;
  /** The same decision, with every rule that had a say. */
  explain(question: PermissionQuestion): PermissionExplanation;
  /** Whether anything is denied that a command of this tool could do. */
  holdsDenyForCommands(tool: string): boolean;
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
 * Where it is not certain what a subject is, the stricter reading counts: an allow is about the project alone, without its
 * `.git` folders, unless its pattern starts elsewhere (`/`, `~`, `../`) or names `.git`; an allow with wildcards does not
 * cover words by which a command runs another program (`git -c …`), unless it names them or is `*`; a command that cannot be
 * read is not allowed by a pattern where anything is denied that it could do; and a deny or ask for `rm *` also sees
 * `sudo /bin/rm x`.
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

  const holdsDeny = (tool: string, kind: PermissionSubject['kind']) =>
    rulesOf(tool).some(({ rule }) => rule.action === 'deny' && (rule.kind === undefined || rule.kind === kind));

  /** A command can do all that is denied to `read` and `edit` too. */
  const holdsDenyForCommands = (tool: string) =>
    holdsDeny(tool, 'command') || holdsDeny('read', 'path') || holdsDeny('edit', 'path');

  /** Why an allow is not about a subject that looks like it, as a clause. */
  const objectionTo = (tool: string, allow: CompiledRule, subject: PermissionSubject | undefined) => {
    if (allow.rule.action !== 'allow' || subject === undefined) return undefined;
    const isSeen = allow.layer !== PERMISSION_LAYERS.approval || allow.isExact;
    if (subject.beyondDefaults !== undefined && (allow.layer === PERMISSION_LAYERS.defaults || !isSeen))
      return subject.beyondDefaults;
    if (subject.kind !== 'command' || allow.isExact) return undefined;
    if (isUnreadableCommand(subject.value))
      return holdsDenyForCommands(tool) ? 'it could get around a rule that denies something' : undefined;
    if (isAboutEverything(allow.rule)) return undefined;
    const running = runningWords(subject.value);
    const unnamed = running.find((word) => !namesAll(allow.rule.pattern, [word]));
    return unnamed === undefined ? undefined : `${JSON.stringify(unnamed)} ${riskOf(unnamed)}`;
  };

  const decideSubject = (tool: string, subject: PermissionSubject | undefined): PermissionDecision => {
    const texts = subjectTexts(subject, options);
    let objection: string | undefined;
    const decisive = rulesOf(tool).find((rule) => {
      if (rule.verdict(subject, texts) !== true) return false;
      const own = objectionTo(tool, rule, subject);
      objection ??= own;
      return own === undefined;
    });
    return toDecision(tool, subject, decisive?.rule, objection);
  };

  /** What is only there to be denied: by rules of the tool it stands for. */
  const deniesOf = (subjects: readonly PermissionSubject[]): SubjectExplanation[] =>
    subjects.flatMap((subject) => {
      if (subject.deniedAs === undefined) return [];
      const texts = subjectTexts(subject, options);
      const matches = rulesOf(subject.deniedAs)
        .filter(({ rule }) => rule.action === 'deny' && !(subject.isGuess === true && isAboutEverything(rule)))
        .filter((rule) => rule.verdict(subject, texts) === true)
        .map(({ rule }) => rule);
      return matches.length === 0
        ? []
        : [{ ...toDecision(subject.deniedAs, subject, matches[0], undefined), matches, heldBack: [] }];
    });

  const explainSubject = (tool: string, subject: PermissionSubject | undefined): SubjectExplanation => {
    const texts = subjectTexts(subject, options);
    const matches: PermissionRule[] = [];
    const heldBack: SubjectExplanation['heldBack'] = [];
    let objection: string | undefined;
    for (const compiled of rulesOf(tool)) {
      const verdict = compiled.verdict(subject, texts);
      const own = verdict === true ? objectionTo(tool, compiled, subject) : undefined;
      if (own !== undefined) {
        if (matches.length === 0) objection ??= own;
        heldBack.push({ rule: compiled.rule, unless: own });
      } else if (verdict === true) matches.push(compiled.rule);
      else {
        const unless = verdict === false ? compiled.outOfReach(subject, texts) : verdict;
        if (unless !== undefined) heldBack.push({ rule: compiled.rule, unless });
      }
    }
    return { ...toDecision(tool, subject, matches[0], objection), matches, heldBack };
  };

  return {
    options,
    decide({ tool, subjects }) {
      const decision = strictest(subjectsOf(subjects).map((subject) => decideSubject(tool, subject)));
      const [denied] = decision.action === 'deny' ? [] : deniesOf(subjects);
      return denied === undefined ? decision : withoutRules(denied);
    },
    explain({ tool, subjects }) {
      const explained = [
        ...subjectsOf(subjects).map((subject) => explainSubject(tool, subject)),
        ...deniesOf(subjects),
      ];
      return { ...withoutRules(strictest(explained)), subjects: explained };
    },
    holdsDenyForCommands,
  };
}

function subjectsOf(subjects: readonly PermissionSubject[]): readonly (PermissionSubject | undefined)[] {
  const told = subjects.filter(({ deniedAs }) => deniedAs === undefined);
  return told.length === 0 ? [undefined] : told;
}

function isAboutEverything({ pattern }: PermissionRule): boolean {
  return /^(\.\/)?\*[*/]*$|^\.\/$/.test(pattern);
}

function withoutRules({ action, rule, subject, reason }: SubjectExplanation): PermissionDecision {
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}

function strictest<Decision extends PermissionDecision>(decisions: readonly Decision[]): Decision {
  return decisions.reduce((one, other) => (STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one));
}

function toDecision(
  tool: string,
  subject: PermissionSubject | undefined,
  rule: PermissionRule | undefined,
  objection: string | undefined,
): PermissionDecision {
  const action = rule?.action ?? 'ask';
  const reason = describeDecision(tool, subject, rule, action === 'ask' ? objection : undefined);
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}
