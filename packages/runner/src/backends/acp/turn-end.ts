import type { TurnEnd } from '@dragoman/protocol';

const REASONS: Readonly<Record<string, TurnEnd['reason']>> = {
  end_turn: 'done',
  max_tokens: 'limit',
  max_turn_requests: 'limit',
  refusal: 'refused',
  cancelled: 'cancelled',
};

const LIMITS: Readonly<Record<string, string>> = {
  max_tokens: 'The model reached the most tokens that it may write. Ask it to go on.',
  max_turn_requests: 'The agent reached the most model calls that it makes in a turn. Ask it to go on.',
};

/** How a turn ended, by the reason that the agent gives. A reason that nobody here knows is an end like any other. */
export function toTurnEnd(stopReason: string | undefined): TurnEnd {
  const reason = REASONS[stopReason ?? 'end_turn'] ?? 'done';
  const limit = LIMITS[stopReason ?? ''];
  return limit === undefined ? { reason } : { reason, error: { code: 'limit', message: limit } };
}
