import { z } from 'zod';

/** What every part has: its own id, and where it belongs. Ids sort in the order in which parts were made. */
export const partBaseSchema = z.object({ id: z.string(), sessionID: z.string(), messageID: z.string() });
export type PartBase = z.infer<typeof partBaseSchema>;
