/** What a rule says. */
export type RuleAction = 'allow' | 'ask' | 'deny';

/** A rule while it is edited. The id keeps its line the same while its words change. */
export interface RuleLine {
  id: number;
  action: RuleAction;
  tool: string;
  pattern: string;
}

/** The section `permissions`: per tool one answer for everything, or one for each pattern. */
export type PermissionsSetting = Record<string, RuleAction | Record<string, RuleAction>>;

/** The rules of the file, in its order. What is no rule is passed over; the server tells of it. */
export function ruleLines(given: unknown): RuleLine[] {
  if (typeof given !== 'object' || given === null) return [];
  const rules = Object.entries(given).flatMap(([tool, inner]) =>
    Object.entries(typeof inner === 'object' && inner !== null ? (inner as object) : { '*': inner as unknown }).map(
      ([pattern, action]) => ({ tool, pattern, action: action as unknown }),
    ),
  );
  return rules.flatMap(({ tool, pattern, action }, id) => (isAction(action) ? [{ id, action, tool, pattern }] : []));
}

/** What is wrong with them, if anything. */
export function ruleMistake(lines: readonly RuleLine[]): 'tool-missing' | 'twice' | undefined {
  if (lines.some(({ tool }) => tool.trim() === '')) return 'tool-missing';
  const seen = new Set(lines.map(({ tool, pattern }) => JSON.stringify([tool.trim(), patternOf(pattern)])));
  return seen.size < lines.length ? 'twice' : undefined;
}

/** What the file will say. A tool that has one rule for everything gets the short form. */
export function permissionsOf(lines: readonly RuleLine[]): PermissionsSetting {
  const byTool = Map.groupBy(lines, ({ tool }) => tool.trim());
  return Object.fromEntries(
    [...byTool].map(([tool, rules]) => {
      const patterns = rules.map(({ pattern, action }) => [patternOf(pattern), action] as const);
      const [only] = patterns;
      return [tool, patterns.length === 1 && only?.[0] === '*' ? only[1] : Object.fromEntries(patterns)];
    }),
  );
}

function patternOf(pattern: string): string {
  return pattern.trim() === '' ? '*' : pattern.trim();
}

function isAction(value: unknown): value is RuleAction {
  return value === 'allow' || value === 'ask' || value === 'deny';
}
