import {
  type AnyPart,
  type ModelName,
  newId,
  type QueuedPrompt,
  type SubtaskPart,
  type UserInfo,
} from '@dragoman/protocol';
import type { Mentions } from '../workplace/read-mentions.ts';

/** A part of a prompt before it belongs to a message. */
export type PromptPart = AnyPart extends infer One
  ? One extends AnyPart
    ? Omit<One, 'id' | 'sessionID' | 'messageID'>
    : never
  : never;

/** What somebody sends to a session. */
export interface Prompt {
  /** What its message is called, where whoever sends it has a name for it; it must be new in the session. */
  messageID?: string | undefined;
  text?: string | undefined;
  /** Files, subtasks and parts of one's own. */
  parts?: readonly PromptPart[] | undefined;
  /** After the running turn, or at its next step; where nothing runs both are the same. */
  delivery?: 'queue' | 'steer' | undefined;
  agent?: string | undefined;
  /** A variant beside the model or inside it, as opencode has it. */
  model?: (ModelName & { variant?: string | undefined }) | undefined;
  variant?: string | undefined;
  /** Adds to the system prompt. */
  system?: string | undefined;
  /** false hides a tool. */
  tools?: Readonly<Record<string, boolean>> | undefined;
}

/** Makes the user message of a prompt. */
export function toQueuedPrompt(
  prompt: Prompt,
  place: { sessionID: string; agent: string; model: ModelName; mentions: Mentions; at: number },
): QueuedPrompt {
  const id = prompt.messageID ?? newId('msg');
  const { variant: nested, ...model } = prompt.model ?? { ...place.model, variant: undefined };
  const variant = prompt.variant ?? nested;
  const info: UserInfo = {
    id,
    sessionID: place.sessionID,
    role: 'user',
    time: { created: place.at },
    agent: prompt.agent ?? place.agent,
    model,
    ...(variant === undefined ? {} : { variant }),
    ...(prompt.system === undefined ? {} : { system: prompt.system }),
    ...(prompt.tools === undefined ? {} : { tools: { ...prompt.tools } }),
  };
  const parts: PromptPart[] = [
    ...(prompt.text === undefined || prompt.text.trim() === '' ? [] : [{ type: 'text' as const, text: prompt.text }]),
    ...(prompt.parts ?? []),
    ...place.mentions.files,
    ...place.mentions.agents,
  ];
  return {
    message: {
      info,
      parts: parts.map((part) => ({ ...part, id: newId('prt'), sessionID: place.sessionID, messageID: id }) as AnyPart),
    },
    delivery: prompt.delivery ?? 'queue',
  };
}

/** The subtasks that a prompt asks for. */
export function subtasksOf(parts: readonly AnyPart[]): SubtaskPart[] {
  return parts.filter((part): part is SubtaskPart => part.type === 'subtask');
}
