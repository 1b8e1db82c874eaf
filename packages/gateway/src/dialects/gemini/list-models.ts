import { DragomanError } from '@dragoman/protocol';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { listAllowed, type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { modelLimits } from '../../routing/model-limits.ts';

/** As Google has them. */
const PAGE_SIZE = 50;
const LARGEST_PAGE = 1000;

export interface ModelsQuery {
  pageSize?: string;
  pageToken?: string;
}

/** What a client can ask for, in pages. A page's token is the place where it begins. */
export function listGeminiModels(
  { pageSize, pageToken }: ModelsQuery,
  config: GatewayConfig,
  asker: ModelAsker,
): object {
  const names = listAllowed(config, asker);
  const size = wholeNumber(pageSize, 'pageSize', PAGE_SIZE) || PAGE_SIZE;
  const start = wholeNumber(pageToken, 'pageToken', 0);
  const end = start + Math.min(size, LARGEST_PAGE);
  return {
    models: names.slice(start, end).map((name) => tellGeminiModel(name, config, asker)),
    ...(end < names.length ? { nextPageToken: String(end) } : {}),
  };
}

/** One of them. A name that leads nowhere is refused. */
export function tellGeminiModel(name: string, config: GatewayConfig, asker: ModelAsker): object {
  const [target] = resolveAllowed(name, config, asker).targets;
  const limits = target === undefined ? undefined : modelLimits(target);
  return {
    name: `models/${name}`,
    version: '1',
    displayName: name,
    description: target === undefined ? '' : `${target.providerName}/${target.model}`,
    ...(limits === undefined ? {} : { inputTokenLimit: limits.context, outputTokenLimit: limits.output }),
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  };
}

function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new DragomanError('bad-request', `${name}: expected a whole number.`);
  return Number(text);
}
