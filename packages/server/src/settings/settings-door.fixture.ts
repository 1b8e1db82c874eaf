import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import type { Role } from '@dragoman/protocol';
import { openTestDoor, type TestDoor, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AccessTables } from '../access/access-tables.ts';
import { TokenStore } from '../access/token-store.ts';
import { type ConfigOverride, loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { secretSchema } from '../config/secret.ts';
import { configSchema, serverConfigShape } from '../config/server-config.ts';
import { settingsForNextStart } from '../config/settings-for-next-start.ts';
import { watchConfig } from '../config/watch-config.ts';
import type { StoreEngine } from '../store/migration.ts';
import { settingsPlugin, type SettingsParts } from './settings-plugin.ts';

/** The server's own sections, and one with everything a room may have: secrets, lists of them, and anything at all. */
export const roomySchema = configSchema({
  ...serverConfigShape,
  providers: z
    .record(
      z.string(),
      z.strictObject({
        type: z.enum(['chat', 'offline']),
        apiKey: z.union([secretSchema, z.array(secretSchema)]).optional(),
        headers: z.record(z.string(), secretSchema).optional(),
        models: z.array(z.string()).optional(),
        options: z.record(z.string(), z.json()).optional(),
      }),
    )
    .default({}),
  agents: z
    .record(z.string(), z.looseObject({ backend: z.string(), command: z.array(z.string()).optional() }))
    .default({}),
});
type Roomy = z.infer<typeof roomySchema>;

/** Settings behind a real door, on files of their own. */
export interface SettingsDoor extends TestDoor {
  parts: SettingsParts;
  file: string;
  secretsFile: string;
  /** The text of the configuration now; nothing where it is not there. */
  text(): string | undefined;
  secrets(): unknown;
  inForce(): Roomy;
  admin: ConsoleClient;
  clientOf(token: string): ConsoleClient;
  person(name: string, role: Role): Promise<{ id: string; token: string; client: ConsoleClient }>;
}

/** Opens it; without a text there is no file. */
export async function openSettingsDoor({
  text,
  engine,
  overrides = [],
  ...more
}: {
  text?: string;
  engine?: StoreEngine;
  overrides?: readonly ConfigOverride[];
} & Partial<SettingsParts> = {}): Promise<SettingsDoor> {
  const folder = tempFolder();
  const [file, secretsFile] = [join(folder, 'dragoman.json'), join(folder, 'secrets.json')];
  if (text !== undefined) writeFileSync(file, text);
  const source = { schema: roomySchema, file, isFileRequired: false, secretsFile, env: { KEY: 'sk-env' }, overrides };
  let inForce: LoadedConfig<Roomy> = loadConfig(source);
  const started = inForce.value;
  const watch = watchConfig(source, inForce, {
    changed: (loaded) => (inForce = loaded),
    refused: () => {},
    heldBack: () => {},
  });
  onTestFinished(() => watch.stop());

  let parts: SettingsParts | undefined;
  const door = await openTestDoor(
    {},
    async (instance, { store }) => {
      parts = {
        source,
        watch: () => watch,
        forNextStart: () => settingsForNextStart(started, inForce.value),
        store,
        tokens: new TokenStore(store.tables<AccessTables>()),
        version: '1.2.3',
        startedAt: 1_000,
        dataFolder: folder,
        publicUrl: () => 'https://dragoman.example',
        diagnose: async () => ({ findings: [], settings: [] }),
        ...more,
      };
      await instance.register(settingsPlugin, parts);
    },
    [],
    engine,
  );
  const { url, tokens, tokenOf } = door;
  const clientOf = (token: string) => createConsoleClient({ url, token });
  return {
    ...door,
    parts: parts!,
    file,
    secretsFile,
    text: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    secrets: () => (existsSync(secretsFile) ? JSON.parse(readFileSync(secretsFile, 'utf8')) : undefined),
    inForce: () => inForce.value,
    admin: clientOf(tokenOf.admin),
    clientOf,
    async person(name, role) {
      const user = await tokens.openUser(name, role);
      const token = { user, name: `${name}'s`, role, expiresAt: null } as const;
      const { text: own } = await tokens.createToken(token);
      return { id: user.id, token: own, client: clientOf(own) };
    },
  };
}
