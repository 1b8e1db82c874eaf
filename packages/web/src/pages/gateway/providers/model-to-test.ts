import type { ProviderInfo, RouteInfo } from '@dragoman/protocol/console';

/** Models that do not talk. */
const NOT_FOR_TALKING = /embed|rerank|whisper|tts|speech|audio|realtime|transcri|dall-e|image|moderation|sora|veo/i;

/** The model a provider is tested with: one that it lists, else one that a route asks it for. */
export function modelToTest(provider: ProviderInfo, routes: readonly RouteInfo[]): string | undefined {
  const listed = firstToTalk(provider.models.filter((model) => model !== '*'));
  if (listed !== undefined) return listed;
  const asked = routes.flatMap(({ targets }) => targets).find((target) => target.startsWith(`${provider.name}/`));
  return asked?.slice(provider.name.length + 1);
}

/** Of the models a provider tells of, the first that is likely to answer in words. */
export function firstToTalk(models: readonly string[]): string | undefined {
  return models.find((model) => !NOT_FOR_TALKING.test(model)) ?? models[0];
}
