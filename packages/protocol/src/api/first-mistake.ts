import type { z } from 'zod';

/**
 * Given to `safeParse`, lets it leave a list or an object at the first mistake in it, as zod's own `validate` does: of a
 * body with thousands of mistakes one is told, and only that one is looked for.
 */
export const FIRST_MISTAKE: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };
