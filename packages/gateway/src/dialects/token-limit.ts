import { z } from 'zod';

/** How much a client lets a model write. A provider of the client's protocol gets it as it came; no other knows less than one token. */
export const tokenLimitSchema = z.number().int().min(1, 'expected 1 or more').nullish();
