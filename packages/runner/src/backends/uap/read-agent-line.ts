import type { AgentRole, BackendCapabilities, BackendEvent, ContentBlock, TurnEnd } from '@dragoman/protocol';
import {
  agentMessageSchema,
  backendCapabilitiesSchema,
  backendEventSchema,
  contentBlockSchema,
  turnEndSchema,
} from '@dragoman/protocol/schemas';

/** What a line of an agent says. */
export type AgentLine =
  | { type: 'event'; event: BackendEvent }
  | { type: 'message'; role: AgentRole; content: readonly ContentBlock[]; problems: readonly string[] }
  | { type: 'ready'; capabilities: BackendCapabilities | undefined }
  | { type: 'turn-finished'; end: TurnEnd }
  | { type: 'unreadable'; problem: string };

/**
 * Reads a line as generously as it can be understood: a message in its final form, an event, or word of the agent's
 * own state. What cannot be understood is told with the reason, and stands in the way of nothing else.
 */
export function readAgentLine(line: string): AgentLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { type: 'unreadable', problem: `it is no JSON (${(error as Error).message})` };
  }
  if (!isObject(value)) return { type: 'unreadable', problem: 'it is JSON, but no object' };
  if (value['type'] === undefined && value['role'] !== undefined) return readMessage(value);
  if (value['type'] === 'ready') {
    const capabilities = backendCapabilitiesSchema.safeParse(value['capabilities']);
    return { type: 'ready', capabilities: capabilities.data };
  }
  if (value['type'] === 'turn-finished') return { type: 'turn-finished', end: readTurnEnd(value) };
  const event = backendEventSchema.safeParse({ ...value, ...normalBlock(value['block']) });
  return event.success
    ? { type: 'event', event: event.data }
    : { type: 'unreadable', problem: firstProblem(event.error) };
}

function readMessage(value: Record<string, unknown>): AgentLine {
  const role = agentMessageSchema.shape.role.safeParse(value['role']);
  if (!role.success)
    return { type: 'unreadable', problem: `role is ${JSON.stringify(value['role'])}, not user, assistant or agent` };
  const content = typeof value['content'] === 'string' ? [{ type: 'text', text: value['content'] }] : value['content'];
  if (!Array.isArray(content)) return { type: 'unreadable', problem: 'content is no list of blocks' };
  const blocks: ContentBlock[] = [];
  const problems: string[] = [];
  for (const [index, one] of content.entries()) {
    const block = contentBlockSchema.safeParse(normalBlock(one).block ?? one);
    if (block.success) blocks.push(block.data);
    else problems.push(`content.${index}: ${firstProblem(block.error)}`);
  }
  return { type: 'message', role: role.data, content: blocks, problems };
}

/** `reason` may be left out, and an error may be words. One that is not known is a failure that names it. */
function readTurnEnd(value: Record<string, unknown>): TurnEnd {
  const error = value['error'];
  const reason = value['reason'] ?? (error === undefined || error === null ? 'done' : 'failed');
  const known = turnEndSchema.shape.reason.safeParse(reason).data;
  const failed = (message: string): TurnEnd => ({
    reason: known ?? 'failed',
    error: { code: 'agent-failed', message },
  });
  if (typeof error === 'string') return failed(error);
  const fault = turnEndSchema.shape.error.safeParse(isObject(error) ? { code: 'agent-failed', ...error } : undefined);
  if (fault.data !== undefined) return { reason: known ?? 'failed', error: fault.data };
  if (known !== undefined) return { reason: known };
  const reasons = turnEndSchema.shape.reason.options.join(', ');
  return failed(`the turn was finished with the reason ${shown(reason)}, which is none of ${reasons}`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Agents that come from a model's API give a result as a list of text blocks; here it is one text. */
function normalBlock(block: unknown): { block?: unknown } {
  if (!isObject(block)) return {};
  if (block['type'] !== 'tool_result' || !Array.isArray(block['content'])) return { block };
  const content = block['content'].map((one: unknown) =>
    isObject(one) && typeof one['text'] === 'string' ? one['text'] : '',
  );
  return { block: { ...block, content: content.filter((text) => text !== '').join('\n') } };
}

function firstProblem(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0]!;
  return `${issue.path.length === 0 ? 'it' : issue.path.join('.')}: ${issue.message}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
