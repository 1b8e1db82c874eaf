import type { ModelPrice } from '@dragoman/protocol';
import type { ProviderConfig, UpstreamKind } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';
import { ANTHROPIC_PRICES } from './lists/anthropic.ts';
import { CEREBRAS_PRICES } from './lists/cerebras.ts';
import { DEEPSEEK_PRICES } from './lists/deepseek.ts';
import { GEMINI_PRICES } from './lists/gemini.ts';
import { GROQ_PRICES } from './lists/groq.ts';
import { MINIMAX_PRICES } from './lists/minimax.ts';
import { MISTRAL_PRICES } from './lists/mistral.ts';
import { MOONSHOT_PRICES } from './lists/moonshot.ts';
import { OPENAI_PRICES } from './lists/openai.ts';
import { XAI_PRICES } from './lists/xai.ts';
import { ZAI_PRICES } from './lists/zai.ts';
import type { PriceList } from './price-list.ts';

/** A price, and who says so. */
export type FoundPrice = { price: ModelPrice } & (
  | { from: 'configured' | 'offline' }
  | { from: 'built-in'; asOf: string; source: string }
);

export const PRICE_LISTS: readonly PriceList[] = [
  ANTHROPIC_PRICES,
  CEREBRAS_PRICES,
  DEEPSEEK_PRICES,
  GEMINI_PRICES,
  GROQ_PRICES,
  MINIMAX_PRICES,
  MISTRAL_PRICES,
  MOONSHOT_PRICES,
  OPENAI_PRICES,
  XAI_PRICES,
  ZAI_PRICES,
];

/** Where a provider is that names no address. */
const OWN_ADDRESS: Partial<Record<UpstreamKind, string>> = {
  'openai-chat': 'https://api.openai.com/',
  'openai-responses': 'https://api.openai.com/',
  'anthropic-messages': 'https://api.anthropic.com/',
  gemini: 'https://generativelanguage.googleapis.com/',
};

/** A date at the end of a model's name, by which a service tells its editions apart. */
const EDITION = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/**
 * What a model costs at a provider: as configured, else as it is known of the service at that very address. The same
 * name at another address, such as a router's or one on this machine, has a price only if it is configured.
 */
export function findPrice({ provider, model }: Target): FoundPrice | undefined {
  const configured = own(provider.prices, model) ?? own(provider.prices, '*');
  if (configured !== undefined) return { from: 'configured', price: configured };
  if (provider.type === 'offline') return { from: 'offline', price: { input: 0, output: 0 } };
  const list = listFor(provider);
  if (list === undefined) return undefined;
  const name = model.toLowerCase().replace(/^models\//, '');
  for (const wanted of [name, name.replace(EDITION, '')])
    for (const { asOf, source, models } of list.parts) {
      const price = own(models, wanted);
      if (price !== undefined) return { from: 'built-in', price, asOf, source };
    }
  return undefined;
}

function listFor(provider: ProviderConfig): PriceList | undefined {
  if (provider.type === 'ai-sdk') {
    const { package: name, options } = provider;
    const isElsewhere = Object.keys(options).some((option) => option.toLowerCase() === 'baseurl');
    return name === undefined || isElsewhere ? undefined : PRICE_LISTS.find(({ packages }) => packages.includes(name));
  }
  const address =
    provider.baseUrl === undefined ? OWN_ADDRESS[provider.type] : `${URL.parse(provider.baseUrl)?.href ?? ''}/`;
  return (
    (address && PRICE_LISTS.find(({ addresses }) => addresses.some((known) => address.startsWith(known)))) || undefined
  );
}

/** What a record holds under a name; not what every object has. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
