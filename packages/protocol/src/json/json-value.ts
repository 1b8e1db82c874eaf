import { z } from 'zod';

/** Any JSON. What came as JSON need not be looked through again to know that it is. */
export const jsonValueSchema = z.custom<z.core.util.JSONType>((value) => value !== undefined);

/** Whatever JSON can say. */
export type JsonValue = z.core.util.JSONType;
