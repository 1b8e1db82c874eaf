import { z } from 'zod';

/** Which model, and the name it was asked for by, where that is a route with more than one target. */
export const modelNameSchema = z.object({ providerID: z.string(), modelID: z.string(), route: z.string().optional() });
export type ModelName = z.infer<typeof modelNameSchema>;
