import { z } from 'zod';
import { agentRoleSchema } from './agent-message.ts';
import { contentBlockSchema } from './content-block.ts';

const ofMessage = {
  messageId: z.string(),
  role: agentRoleSchema,
  blockId: z.string(),
  block: contentBlockSchema,
  since: z
    .object({ seq: z.number(), at: z.number() })
    .optional()
    .describe('Where the block was opened, told by the log when it puts the whole block in place of its pieces.'),
};

/**
 * The live form of a message: its blocks as they are written. Ids are the backend's, and never used twice in a session.
 *
 * - `block-start` opens a block with what is known of it: an empty text, a `tool_use` whose input is still to come. With
 *   `since` it is the log that speaks: everything there is so far of a block that is open.
 * - `block-delta` adds to an open block: to its text, thinking or result content; for a `tool_use` it is a piece of the
 *   input's JSON, which is shown and never parsed.
 * - `block-stop` is the whole block. It closes an open one, or says one at once that was never opened. A later one with
 *   the same id takes its place: a title that became known, a plan that moved on.
 *
 * A `tool_result` that is open shows output as it comes; the call runs until it is stopped.
 */
export const blockEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('block-start'),
    ...ofMessage,
    inputText: z
      .string()
      .optional()
      .describe("The pieces of a `tool_use`'s input so far, told by the log when it puts them together."),
  }),
  z.object({ type: z.literal('block-delta'), blockId: z.string(), delta: z.string() }),
  z.object({ type: z.literal('block-stop'), ...ofMessage }),
]);
export type BlockEvent = z.infer<typeof blockEventSchema>;
