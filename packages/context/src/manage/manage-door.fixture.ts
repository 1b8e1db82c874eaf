import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Role } from '@dragoman/protocol';
import { type ConsoleClient, createConsoleClient, type WorkspaceInfo } from '@dragoman/protocol/console';
import { CONTEXT_CALLS } from '@dragoman/protocol/console-calls';
import type { StoreEngine } from '@dragoman/server';
import { openTestDoor, tempFolder, type TestDoor } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { contextMigrations } from '../context-migrations.ts';
import { type Context, openContext } from '../open-context.ts';
import { contextPlugin } from '../routes/context-plugin.ts';

type CallName = keyof typeof CONTEXT_CALLS;
type ContextClient = Pick<ConsoleClient, CallName>;

export interface ManageDoor extends TestDoor {
  /** The calls as the console makes them, as the owner and an admin; every answer has been held against the contract. */
  client: ContextClient;
  /** The same as somebody else. */
  person(name: string, role: Role): Promise<{ client: ContextClient; token: string }>;
  context(): Context;
  /** Ends the context engine; the next call opens it anew, as after a restart. */
  restart(): Promise<void>;
  /** The one workspace of that root when it is no longer being worked at. */
  settled(root: string): Promise<WorkspaceInfo>;
}

const SILENT = { trace() {}, debug() {}, warn() {}, error() {} };
const CONFIG = { retrieval: { engine: 'index', maxFileBytes: 1_048_576, keepUnusedDays: 30 } } as const;

/** The whole context engine behind a real door. */
export async function openManageDoor(
  options: {
    engine?: StoreEngine;
    watch?: boolean;
    maxFileBytes?: number;
    embedding?: () => { model: string } | undefined;
  } = {},
): Promise<ManageDoor> {
  const { engine = 'sqlite', watch = false, maxFileBytes = CONFIG.retrieval.maxFileBytes, embedding } = options;
  const folder = tempFolder();
  let open: () => Context = () => {
    throw new Error('the door is not open yet');
  };
  let context: Context | undefined;
  const door = await openTestDoor(
    {},
    async (instance, { store }) => {
      const config = () => ({ retrieval: { ...CONFIG.retrieval, maxFileBytes, embedding: embedding?.() } });
      open = () => (context ??= openContext({ store, folder, config, log: SILENT, watch }));
      await instance.register(contextPlugin, { handlers: async () => open().handlers });
    },
    [contextMigrations],
    engine,
  );
  onTestFinished(async () => {
    await context?.close();
  });
  const clientOf = (token: string): ContextClient => checked(createConsoleClient({ url: door.url, token }));
  const client = clientOf(door.tokenOf.admin);
  return {
    ...door,
    client,
    async person(name, role) {
      const user = await door.tokens.openUser(name, role);
      const { text: token } = await door.tokens.createToken({
        user,
        name: 'theirs',
        role,

        expiresAt: null,
      });
      return { client: clientOf(token), token };
    },
    context: () => open(),
    async restart() {
      await context?.close();
      context = undefined;
    },
    async settled(root) {
      for (;;) {
        const found = (await client.listWorkspaces()).workspaces.find((workspace) => workspace.root === root)!;
        if (found.state !== 'scanning' && found.state !== 'indexing') return found;
        await new Promise((go) => setImmediate(go));
      }
    },
  };
}

/** Answers that have a field too many or too few are told at once. */
function checked(client: ConsoleClient): ContextClient {
  const names = Object.keys(CONTEXT_CALLS) as CallName[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (input: never) => {
        const answer: unknown = await client[name](input);
        return strict(CONTEXT_CALLS[name].answer).parse(answer);
      },
    ]),
  ) as unknown as ContextClient;
}

/** The same shape, and nothing beside it, at every depth. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(
        Object.entries(schema.shape as z.ZodRawShape).map(([key, inner]) => [key, strict(inner as z.ZodType)]),
      ),
    );
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional();
  return schema;
}

/** A real folder with these files in it, by its real path. */
export function realTree(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(tempFolder());
  for (const [path, content] of Object.entries(files)) writeIn(root, path, content);
  return root;
}

export function writeIn(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true });
}
