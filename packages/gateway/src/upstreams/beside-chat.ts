import type { Target } from '../routing/target.ts';

/**
 * Where a target takes another kind of call. The path that a provider has is for its chat; what stands before that, such as
 * the deployment of a model, is the same for all of them.
 */
export function besideChat({ providerName, model, provider }: Target, path: string): { target: Target; path: string } {
  const { path: ownPath, ...rest } = provider;
  const before = /^(.*)\/(?:chat\/completions|responses|messages)$/.exec(ownPath ?? '')?.[1] ?? '';
  return {
    target: { providerName, model, provider: rest },
    path: before.replaceAll('{model}', encodeURIComponent(model)) + path,
  };
}
