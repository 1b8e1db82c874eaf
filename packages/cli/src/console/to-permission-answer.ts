import type { CallExplanation } from '@dragoman/agent/inspect';
import type { PermissionAnswer } from '@dragoman/protocol/console';

/** An explanation as the console reads it. */
export function toPermissionAnswer({ explanation, note }: CallExplanation): PermissionAnswer {
  return {
    action: explanation.action,
    ...(note === undefined ? {} : { note }),
    subjects: explanation.subjects.map(({ action, subject, reason, matches }) => ({
      action,
      ...(subject === undefined ? {} : { kind: subject.kind, value: subject.value }),
      reason,
      rules: matches.map((rule) => ({
        action: rule.action,
        tool: rule.tool,
        pattern: rule.pattern,
        origin: rule.origin,
      })),
    })),
  };
}
