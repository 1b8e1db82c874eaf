import type { FastifyInstance } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { parseBody } from '@dragoman/server';
import type { UsageLog } from './usage-log.ts';
import type { UsageTables } from './usage-tables.ts';

const DAY_MS = 86_400_000;
const querySchema = z.object({
  by: z.enum(['day', 'model', 'token']).default('day'),
  days: z.coerce.number().int().min(1).max(366).default(30),
});

/** What calls are grouped by. */
const KEYS: Record<'day' | 'model' | 'token', RawBuilder<string | number>> = {
  day: sql`at / ${sql.lit(DAY_MS)}`,
  model: sql`target`,
  token: sql`user_name || '/' || token_name`,
};

/** `GET /api/usage?by=day|model|token&days=30`: calls, tokens and cost. */
export function usageRoutes(door: FastifyInstance, db: Kysely<UsageTables>, log: UsageLog): void {
  door.get('/api/usage', { config: { access: 'viewer' } }, async (request) => {
    const { by, days } = parseBody(querySchema, request.query);
    await log.flush();
    const key = KEYS[by];
    const rows = await db
      .selectFrom('usage_log')
      .where('at', '>=', Date.now() - days * DAY_MS)
      .select([
        key.as('key'),
        sql<number>`count(*)`.as('calls'),
        sql<number>`sum(case when error_code is null or finish_reason = 'cancelled' then 0 else 1 end)`.as('errors'),
        sql<number>`coalesce(sum(input_tokens), 0)`.as('inputTokens'),
        sql<number>`coalesce(sum(output_tokens), 0)`.as('outputTokens'),
        sql<number>`coalesce(sum(cache_read_tokens), 0)`.as('cacheReadTokens'),
        sql<number>`coalesce(sum(cost_micros), 0)`.as('costMicros'),
        sql<number>`sum(redactions)`.as('redactions'),
        sql<number>`sum(repairs)`.as('repairs'),
      ])
      .groupBy(key)
      .orderBy(key)
      .execute();
    return {
      by,
      days,
      rows: rows.map(
        ({
          key: value,
          costMicros,
          calls,
          errors,
          inputTokens,
          outputTokens,
          cacheReadTokens,
          redactions,
          repairs,
        }) => ({
          key: by === 'day' ? new Date(Number(value) * DAY_MS).toISOString().slice(0, 10) : value,
          calls: Number(calls),
          errors: Number(errors),
          inputTokens: Number(inputTokens),
          outputTokens: Number(outputTokens),
          cacheReadTokens: Number(cacheReadTokens),
          costDollars: Number(costMicros) / 1_000_000,
          redactions: Number(redactions),
          repairs: Number(repairs),
        }),
      ),
    };
  });
}
