import { z } from 'zod';
import { partBaseSchema } from './part-base.ts';

const text = z.object({ value: z.string(), start: z.number(), end: z.number() });
const position = z.object({ line: z.number(), character: z.number() });

/** Where a file's content comes from; `text` is the place in the prompt that names it. */
const fileSourceSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file'), path: z.string(), text: text.optional() }),
  z.object({
    type: z.literal('symbol'),
    path: z.string(),
    name: z.string(),
    kind: z.number(),
    range: z.object({ start: position, end: position }),
    text: text.optional(),
  }),
  z.object({ type: z.literal('resource'), clientName: z.string(), uri: z.string(), text: text.optional() }),
]);
export type FileSource = z.infer<typeof fileSourceSchema>;

/** A file's content, images included. `url` is a `data:` address that holds it, or says where it is (`file:`, `mcp:`, `https:`). */
export const filePartSchema = partBaseSchema.extend({
  type: z.literal('file'),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  source: fileSourceSchema.optional(),
});
export type FilePart = z.infer<typeof filePartSchema>;
