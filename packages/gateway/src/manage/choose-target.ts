import { DragomanError } from '@dragoman/protocol';
import type { ProviderDraft } from '@dragoman/protocol/console';
import { type GatewayConfig, providerSchema } from '../config/gateway-config.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import { allProviders } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';

/** What a provider without a name is called. A configured name has no space in it, so the two are never mixed up. */
export const DRAFT_NAME = 'new provider';

/** References are looked up when the configuration is read, and a draft is none yet. */
const REFERENCE = /\{(?:env|file|secret):[^{}]+\}/;

/** A model of a provider that is in force, by its name, or of one that is not saved yet. */
export function chooseTarget(provider: string | ProviderDraft, model: string, config: GatewayConfig): Target {
  return typeof provider === 'string' ? savedTarget(provider, model, config) : draftTarget(provider, model);
}

function savedTarget(providerName: string, model: string, config: GatewayConfig): Target {
  const providers = allProviders(config);
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  if (provider !== undefined) return { providerName, provider, model };
  throw new RefusedCall(
    'not-found',
    `There is no provider named ${JSON.stringify(providerName.slice(0, 200))}. Available providers: ${Object.keys(providers).join(', ')}.`,
  );
}

function draftTarget(draft: ProviderDraft, model: string): Target {
  const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ''));
  const secrets = [draft.apiKey ?? '', ...Object.values(draft.headers ?? {})];
  if (secrets.some((secret) => REFERENCE.test(secret)))
    throw new DragomanError(
      'config-invalid',
      'The key is a reference, which is resolved when the provider is saved. Save the provider and then test it, or enter the key itself.',
    );
  const parsed = providerSchema.safeParse(given);
  if (parsed.success) return { providerName: DRAFT_NAME, provider: parsed.data, model };
  const issue = parsed.error.issues[0]!;
  throw new DragomanError('config-invalid', `${issue.path.join('.')}: ${issue.message}`);
}
