import { z } from 'zod';

const LIMIT_MS = 10_000;

/** What our door says of itself at `/health`, well or not. */
const healthSchema = z.object({ status: z.string(), version: z.string(), uptimeSeconds: z.number() });

/** Whether the server at that address is one of ours. The token is not shown for this; an address that does not answer is not one of ours. */
export async function isDragoman(baseUrl: string, signal?: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const { request } = await import('undici');
    const answer = await request(`${baseUrl.replace(/\/+$/, '')}/health`, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    return healthSchema.safeParse(await answer.body.json()).success;
  } catch {
    return false;
  }
}
