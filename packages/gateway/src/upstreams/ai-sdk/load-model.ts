import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DragomanError } from '@dragoman/protocol';
import type { ProviderConfig } from '../../config/gateway-config.ts';
import { optional } from '../../optional.ts';
import type { Target } from '../../routing/target.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { AiSdkModel } from './wire.ts';

type AiSdkProvider = ((model: string) => unknown) & { languageModel?: (model: string) => unknown };
type CreateProvider = (options: Record<string, unknown>) => AiSdkProvider;

/** By key. A configuration that is edited is another object, so what was made from the old one goes with it. */
const providers = new WeakMap<ProviderConfig, Map<string | undefined, Promise<AiSdkProvider>>>();

/** The target's model, from the package that its provider names. Packages are loaded, and providers made, once. */
export async function loadAiSdkModel(target: Target, key: string | undefined): Promise<AiSdkModel> {
  const provider = await providerFor(target, key);
  const model =
    typeof provider.languageModel === 'function' ? provider.languageModel(target.model) : provider(target.model);
  const version = (model as Partial<AiSdkModel> | undefined)?.specificationVersion;
  if (version === 'v2' || version === 'v3' || version === 'v4') return model as AiSdkModel;
  throw new DragomanError(
    'config-invalid',
    `The package ${target.provider.package} of provider "${target.providerName}" speaks version ${version ?? 'v1'} of the AI SDK's specification; v2, v3 or v4 is needed. Update it.`,
  );
}

function providerFor(target: Target, key: string | undefined): Promise<AiSdkProvider> {
  let byKey = providers.get(target.provider);
  if (byKey === undefined) {
    byKey = new Map();
    providers.set(target.provider, byKey);
  }
  let made = byKey.get(key);
  if (made === undefined) {
    made = makeProvider(target, key);
    byKey.set(key, made);
    // A package that is installed later is found then.
    made.catch(() => byKey.delete(key));
  }
  return made;
}

async function makeProvider({ provider, providerName }: Target, key: string | undefined): Promise<AiSdkProvider> {
  if (provider.package === undefined) {
    throw new DragomanError(
      'config-invalid',
      `The provider "${providerName}" is of type "ai-sdk" and needs a package, such as "@ai-sdk/mistral".`,
    );
  }
  const create = findCreate(await importPackage(provider.package, providerName));
  if (create === undefined) {
    throw new DragomanError(
      'config-invalid',
      `The package ${provider.package} of provider "${providerName}" exports no create… function; name a provider package of the AI SDK, such as "@ai-sdk/mistral".`,
    );
  }
  const headers = Object.fromEntries(Object.entries(provider.headers).map(([name, value]) => [name, value.reveal()]));
  return create({
    fetch: boundedFetch,
    ...provider.options,
    ...optional('apiKey', key),
    ...optional('baseURL', provider.baseUrl),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  });
}

async function importPackage(name: string, providerName: string): Promise<Record<string, unknown>> {
  const isPath = isAbsolute(name) || name.startsWith('.');
  try {
    return (await import(isPath ? pathToFileURL(resolve(name)).href : name)) as Record<string, unknown>;
  } catch (error) {
    const how = isPath ? 'Check the path.' : `Install it beside Dragoman: npm install ${name}`;
    throw new DragomanError(
      'config-invalid',
      `The package ${name} of provider "${providerName}" cannot be loaded: ${(error as Error).message}. ${how}`,
      {
        cause: error,
      },
    );
  }
}

/** `createMistral`, best with a ready-made `mistral` beside it: a package may create other things too. */
function findCreate(exported: Record<string, unknown>): CreateProvider | undefined {
  const names = Object.keys(exported).filter(
    (name) => /^create[A-Z]/.test(name) && typeof exported[name] === 'function',
  );
  const readyMade = new Set(Object.keys(exported).map((name) => name.toLowerCase()));
  const name = names.find((candidate) => readyMade.has(candidate.slice('create'.length).toLowerCase())) ?? names[0];
  return name === undefined ? undefined : (exported[name] as CreateProvider);
}
