import type { PermissionQuestion, PermissionRule } from './permission.ts';

/** A thousand rules of every kind, none of which is about the question, and the one that is. */
export function thousandRules(): PermissionRule[] {
  const rules: PermissionRule[] = [{ tool: 'bash', pattern: 'make test *', action: 'allow', origin: 'the one' }];
  for (let index = 1; index < 1_000; index++) {
    const pattern = [
      `make build-${index} *`,
      `*${index}*`,
      `packages/${index}/**`,
      `*.host-${index}.com`,
      `rm *${index}`,
    ];
    rules.push({
      tool: index % 3 === 0 ? '*' : 'bash',
      pattern: pattern[index % pattern.length]!,
      action: index % 7 === 0 ? 'deny' : index % 2 === 0 ? 'ask' : 'allow',
      origin: `rule ${index}`,
      layer: index % 4,
    });
  }
  return rules;
}

/** What the thousand rules are asked: three subjects, one of them long. */
export const THOUSAND_RULES_QUESTION: PermissionQuestion = {
  tool: 'bash',
  subjects: [
    { kind: 'command', value: 'make test -- --reporter=verbose' },
    { kind: 'command', value: `make test ${'--grep word '.repeat(100)}` },
    { kind: 'command', value: 'make test' },
  ],
};
