import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import type { Target } from '../routing/target.ts';
import { type HttpRequest, readText } from '../upstreams/http-caller.ts';
import { parseAnswer } from '../upstreams/parse-answer.ts';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';
import { httpUpstream } from '../upstreams/upstream-registry.ts';

const countSchema = z.int().min(0);
/** A service that speaks the protocol without this call of it. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 501]);

/** A provider's own count of tokens, which its answer has in `field`. Nothing where it has no such call. */
export async function askForCount(
  gateway: Gateway,
  target: Target,
  question: HttpRequest,
  field: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const upstream = await httpUpstream(target.provider.type);
    const answer = await gateway.upstreams.http.send(upstream, target, question, signal);
    const body = parseAnswer(await readText(answer)) as Record<string, unknown> | undefined;
    return countSchema.safeParse(body?.[field]).data;
  } catch (error) {
    if (error instanceof ProviderRefusal && MISSING.has(error.status)) return undefined;
    throw error;
  }
}
