import { z } from 'zod';
import { filePartSchema } from './file-part.ts';

const input = z.record(z.string(), z.unknown());
const metadata = z.record(z.string(), z.unknown());
const moment = z.number();

const pending = z.object({
  status: z.literal('pending'),
  input,
  raw: z.string().describe('The argument text as far as the model has written it.'),
});
const awaitingApproval = z.object({
  status: z.literal('awaiting-approval'),
  input,
  approvalID: z.string(),
  title: z.string().optional(),
  metadata: metadata.optional(),
  time: z.object({ asked: moment }),
});
const running = z.object({
  status: z.literal('running'),
  input,
  title: z.string().optional(),
  metadata: metadata.optional(),
  time: z.object({ start: moment }),
});
const completed = z.object({
  status: z.literal('completed'),
  input,
  output: z.string(),
  title: z.string(),
  metadata: metadata.optional(),
  time: z.object({
    start: moment,
    end: moment,
    compacted: moment.optional().describe('When the output left the view of the model.'),
  }),
  attachments: z.array(filePartSchema).optional(),
});
const failed = z.object({
  status: z.literal('error'),
  input,
  error: z.string(),
  metadata: metadata.optional(),
  time: z.object({ start: moment, end: moment, compacted: moment.optional() }),
});

/** Where a tool call stands. A state has exactly the fields that are true in it. */
export const toolStateSchema = z.discriminatedUnion('status', [pending, awaitingApproval, running, completed, failed]);

export type ToolState = z.infer<typeof toolStateSchema>;
/** The name of a state. */
export type ToolStatus = ToolState['status'];
export type ToolStatePending = z.infer<typeof pending>;
export type ToolStateRunning = z.infer<typeof running>;
export type ToolStateCompleted = z.infer<typeof completed>;
export type ToolStateError = z.infer<typeof failed>;
