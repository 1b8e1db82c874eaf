import type { z } from 'zod';

/** What goes into a call and comes out. */
export interface ApiCall {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer?: z.ZodType;
}
