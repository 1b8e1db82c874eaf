import { SETTINGS_ROUTES } from '@dragoman/protocol/routes';
import type { ApiRoute } from '@dragoman/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { TokenStore } from '../access/token-store.ts';
import type { ExplainedSetting } from '../config/explain-config.ts';
import type { ConfigSource } from '../config/load-config.ts';
import type { ConfigWatch } from '../config/watch-config.ts';
import type { SharedSettings } from '../shared-settings/shared-settings.ts';
import type { Store } from '../store/open-store.ts';
import type { OtherUses } from './kept-secrets.ts';

/** The door itself logs people in and out, and keeps leases. */
const OF_THE_DOOR = ['logIn', 'logOut', 'holdLease'] as const satisfies (keyof typeof SETTINGS_ROUTES)[];

/** The calls that are answered here. */
export type SettingsCallName = Exclude<keyof typeof SETTINGS_ROUTES, (typeof OF_THE_DOOR)[number]>;

/** What answers, by the name of the call. */
export type SettingsHandlers = Readonly<Record<SettingsCallName, (request: FastifyRequest) => Promise<unknown>>>;

/** What the settings of a server are made of. */
export interface SettingsParts {
  source: ConfigSource<z.ZodType>;
  /** The eye on the configuration, which opens after the door. */
  watch: () => Pick<ConfigWatch, 'problem' | 'reload'>;
  store: Store;
  /** Changed settings that take effect after a restart. */
  forNextStart: () => readonly string[];
  /** Where the settings of several servers are, on PostgreSQL. */
  shared?: SharedSettings | undefined;
  tokens: TokenStore;
  version: string;
  startedAt: number;
  dataFolder: string;
  /** The address people use. */
  publicUrl: () => string;
  /** What secrets are kept for beside the configuration. */
  secretUses?: OtherUses;
  /** Looks at everything the running server stands on. */
  diagnose: () => Promise<Diagnosis>;
}

/** What was found, and the settings in force with where they came from. */
export interface Diagnosis {
  findings: { subject: string; isWell: boolean; says: string }[];
  settings: ExplainedSetting[];
}

/**
 * Settings, people and tokens over HTTP, as one Fastify plugin. What answers is loaded with the first call: a start that
 * nobody configures does not pay for it.
 */
export async function settingsPlugin(door: FastifyInstance, parts: SettingsParts): Promise<void> {
  let opened: Promise<SettingsHandlers> | undefined;
  const handlers = () => {
    opened ??= import('./settings-handlers.ts').then(({ settingsHandlers }) => settingsHandlers(parts));
    return opened;
  };
  door.setErrorHandler(async (error, request, reply) => {
    const { replyWithRefusal } = await import('./reply-with-refusal.ts');
    return replyWithRefusal(error, request, reply);
  });
  for (const [name, { method, path, access }] of Object.entries(SETTINGS_ROUTES) as [SettingsCallName, ApiRoute][]) {
    if ((OF_THE_DOOR as readonly string[]).includes(name)) continue;
    door.route({
      method,
      url: path,
      config: { access },
      handler: async (request: FastifyRequest, _reply: FastifyReply) => (await handlers())[name](request),
    });
  }
}
