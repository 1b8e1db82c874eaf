import { z } from 'zod';
import type { ApiCall } from '../api/api-call.ts';
import type { CONTEXT_ROUTES } from './context-routes.ts';

const ofWorkspace = z.object({ workspaceId: z.string() });

/** An indexed folder. */
export const workspaceInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  state: z.enum(['idle', 'scanning', 'indexing', 'ready', 'problem']).describe('idle: not opened since the start.'),
  files: z.number(),
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
  updatedAt: z.number().optional(),
  problem: z.string().optional(),
  machine: z
    .string()
    .optional()
    .describe('The name of the machine that has the folder, where servers on several share a database.'),
});
export type WorkspaceInfo = z.infer<typeof workspaceInfoSchema>;

/** A place that answers a question, and what spoke for it. */
export const rankedPlaceSchema = z.object({
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  text: z.string(),
  score: z.number(),
  why: z
    .array(
      z.object({
        reason: z.string().describe('For programs, such as "words-in-text".'),
        title: z.string().describe('In words.'),
        detail: z.string().optional().describe('What it is here, such as the words that were found.'),
        weight: z.number().describe('Below zero where it speaks against the place; without signs they add up to 1.'),
      }),
    )
    .describe('What spoke for it, the strongest first; weights of one place are comparable.'),
});
export type RankedPlace = z.infer<typeof rankedPlaceSchema>;

/** The shapes of every call, under the names of `CONTEXT_ROUTES`. */
export const CONTEXT_CALLS = {
  listWorkspaces: {
    answer: z.object({
      workspaces: z.array(workspaceInfoSchema),
      embeddingModel: z
        .string()
        .optional()
        .describe('The model that indexed code and questions are sent to; absent where they stay on the server.'),
    }),
  },
  addWorkspace: { body: z.strictObject({ root: z.string().min(1).max(4096) }), answer: workspaceInfoSchema },
  removeWorkspace: { params: ofWorkspace, answer: z.object({}) },
  refreshWorkspace: { params: ofWorkspace, answer: workspaceInfoSchema },
  listLeftOut: {
    params: ofWorkspace,
    answer: z.object({
      groups: z.array(
        z.object({
          reason: z.string().describe('For programs, such as "git-ignored".'),
          title: z.string().describe('In words.'),
          count: z.number(),
          examples: z.array(z.string()),
        }),
      ),
    }),
  },
  explainPath: {
    params: ofWorkspace,
    query: z.object({ path: z.string().min(1).max(4096) }),
    answer: z.object({
      path: z.string(),
      isIndexed: z.boolean(),
      layers: z.array(z.object({ layer: z.string(), says: z.string(), decides: z.boolean() })),
    }),
  },
  searchCode: {
    params: ofWorkspace,
    body: z.strictObject({
      question: z.string().trim().min(1).max(10_000),
      limit: z.number().int().min(1).max(50).optional(),
    }),
    answer: z.object({ places: z.array(rankedPlaceSchema), tookMs: z.number(), files: z.number() }),
  },
  readCode: {
    params: ofWorkspace,
    query: z.object({ path: z.string().min(1).max(4096) }),
    answer: z.object({ path: z.string(), text: z.string(), isCut: z.boolean() }),
  },
} as const satisfies Record<keyof typeof CONTEXT_ROUTES, ApiCall>;
