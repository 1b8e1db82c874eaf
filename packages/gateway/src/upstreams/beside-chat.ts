/**
 * Where a provider takes another kind of call. The path that a provider has is for its chat; what stands before that, such as
 * the deployment of a model, is the same for all of them.
 */
export function besideChat(ownPath: string | undefined, model: string, path: string): string {
  const before = /^(.*)\/(?:chat\/completions|responses)$/.exec(ownPath ?? '')?.[1] ?? '';
  return before.replaceAll('{model}', encodeURIComponent(model)) + path;
}
