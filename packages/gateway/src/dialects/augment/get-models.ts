import type { GatewayConfig } from '../../config/gateway-config.ts';
import { listAllowed, type ModelAsker } from '../../policy/allowed-models.ts';
import { resolveRoute } from '../../routing/resolve-route.ts';
import { targetName } from '../../routing/target.ts';
import { isJsonObject, parseJson } from '../../tools/json-object.ts';

/** How much text around the cursor the editor sends; clients drop the user's prompt when a model lacks the numbers. */
const SUGGESTED = { suggested_prefix_char_count: 8_000, suggested_suffix_char_count: 4_000 } as const;

/** Switches that let clients use what this server can do. Clients disagree about their spelling, so both are sent. */
const FLAGS: Readonly<Record<string, unknown>> = {
  enable_agent_mode: true,
  enable_chat: true,
  enable_chat_with_tools: true,
  enable_memory_retrieval: true,
  enable_chat_multimodal: true,
  enable_agent_auto_mode: true,
  enable_model_registry: true,
  show_thinking_summary: true,
  fraud_sign_endpoints: false,
  vscode_agent_mode_min_version: '0.0.0',
  vscode_chat_with_tools_min_version: '0.0.0',
  vscode_task_list_min_version: '0.0.0',
};

interface ModelList {
  default_model: string;
  models: Record<string, unknown>[];
  feature_flags: Record<string, unknown>;
}

/** The answer of `/get-models`: our routes, and what the official service says where there is one and it makes sense. */
export function augmentModels(
  config: GatewayConfig,
  official: unknown,
  maxBlobBytes: number,
  asker: ModelAsker,
): Record<string, unknown> {
  const names = listAllowed(config, asker);
  const defaultModel = defaultName(config, names, asker);
  const isLimited = asker.models !== undefined;
  const shown = isLimited ? names : [...new Set([defaultModel, ...names])];
  const local = shown.map((name) => ({ name, ...SUGGESTED }));
  const known = readOfficial(official);
  const others = isLimited ? [] : known.models.filter((model) => !local.some(({ name }) => name === model['name']));
  const theirRegistry = isLimited ? {} : parseRegistry(known.flags['model_info_registry']);
  const registry = Object.fromEntries(local.map(({ name }) => [name, describe(name)]));
  const flags: Record<string, unknown> = {
    ...FLAGS,
    agent_chat_model: defaultModel,
    max_upload_size_bytes: maxBlobBytes,
    model_info_registry: JSON.stringify({ ...theirRegistry, ...registry }),
  };
  return {
    ...known.rest,
    default_model: defaultModel,
    models: [...local, ...others],
    feature_flags: { ...known.flags, ...flags, ...inCamelCase(flags) },
  } satisfies ModelList & Record<string, unknown>;
}

/** What a client asks for that chose nothing; one of those that it may use. */
function defaultName(config: GatewayConfig, names: readonly string[], { models }: ModelAsker): string {
  if (names.includes('default')) return 'default';
  const [target] = resolveRoute('', config).targets;
  const usual = target === undefined ? 'default' : targetName(target);
  return models === undefined || names.includes(usual) ? usual : (names[0] ?? 'default');
}

/** A model whose shown name equals its id cannot be chosen by id. */
function describe(name: string): Record<string, unknown> {
  return {
    displayName: `${name} (Dragoman)`,
    shortName: name,
    description: 'Served by your own Dragoman.',
    disabled: false,
  };
}

/** What the official service sent, as far as it is usable; nothing otherwise. */
function readOfficial(official: unknown): {
  models: Record<string, unknown>[];
  flags: Record<string, unknown>;
  rest: Record<string, unknown>;
} {
  if (!isJsonObject(official)) return { models: [], flags: {}, rest: {} };
  const { models, feature_flags: flags, default_model: _theirs, ...rest } = official;
  const usable = (Array.isArray(models) ? models : [])
    .filter(isJsonObject)
    .filter((model) => typeof model['name'] === 'string');
  return {
    models: usable.map((model) => ({ ...SUGGESTED, ...dropNonNumbers(model) })),
    flags: isJsonObject(flags) ? flags : {},
    rest,
  };
}

function dropNonNumbers(model: Record<string, unknown>): Record<string, unknown> {
  const kept = { ...model };
  for (const key of Object.keys(SUGGESTED)) if (typeof kept[key] !== 'number') delete kept[key];
  return kept;
}

function parseRegistry(text: unknown): Record<string, unknown> {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  return isJsonObject(value) ? value : {};
}

function inCamelCase(flags: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([key, value]) => [
      key.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
