import type { Approval } from '@dragoman/protocol';

/** A question with more in it than this is not handed around whole. */
const MOST_CHARS = 256 * 1024;
/** Of more subjects than these nobody tells one from the other. */
const MOST_SUBJECTS = 1_000;
/** One with less is short as it is. */
const SHORT_CHARS = 4_096;
const [TITLE_CHARS, REASON_CHARS, NAME_CHARS, OPTIONS] = [1_000, 1_000, 200, 20];

/** A question as it is kept: as it came, or short where it holds more than any screen has room for. */
export function keptApproval(approval: Approval): Approval {
  const { asked = [], question, always = [], options } = approval;
  const most = Math.max(asked.length, question?.subjects.length ?? 0, always.length, options.length);
  const { length } = JSON.stringify(approval);
  return most > MOST_SUBJECTS || length > MOST_CHARS ? shortApproval(approval, length) : approval;
}

/**
 * A question without what it is about. It names a call without saying what that is, so no screen offers a yes unless the
 * session has the call, and no rule answers it. `chars` is its length as JSON.
 */
export function shortApproval(approval: Approval, chars: number): Approval {
  if (chars <= SHORT_CHARS) return approval;
  const { id, title, options, toolUseId, reason, allowsText } = approval;
  return {
    id,
    title: cut(title, TITLE_CHARS),
    options: options
      .filter((option) => option.id.length <= NAME_CHARS)
      .slice(0, OPTIONS)
      .map((option) => ({ ...option, name: cut(option.name, NAME_CHARS) })),
    toolUseId: toolUseId ?? id,
    ...(reason !== undefined && { reason: cut(reason, REASON_CHARS) }),
    ...(allowsText !== undefined && { allowsText }),
  };
}

/** The beginning, without half of a character at its end. */
export function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
