/** What differs between the models that are asked through Responses. */
export interface OpenAiModel {
  /** Whether it can be asked for its encrypted reasoning; models that do not reason refuse the wish. */
  canReason: boolean;
  /** Whether temperature and top_p are taken. */
  takesSampling: boolean;
  /** Whether its prompt cache is read where a request has marks, and nowhere else. */
  readsFromBreakpoints: boolean;
}

/**
 * Told by the name, because the service refuses what a model does not know and there is no asking beforehand.
 *
 * A name that says nothing, such as a deployment's at Azure, is taken for a model that reasons and can be tuned.
 */
export function openAiModel(name: string, effort: string | undefined): OpenAiModel {
  const shortName = name.slice(name.lastIndexOf('/') + 1).replace(/^chatgpt-/, 'gpt-');
  if (/^o\d/.test(shortName)) return { canReason: true, takesSampling: false, readsFromBreakpoints: false };
  const found = /^gpt-(\d+)(?:\.(\d+))?(-chat)?/.exec(shortName);
  if (found === null) return { canReason: true, takesSampling: true, readsFromBreakpoints: false };
  const version = Number(found[1]) * 100 + Number(found[2] ?? 0);
  const canReason = version >= 500 && found[3] === undefined;
  return {
    canReason,
    takesSampling: !canReason || (effort === 'none' && version >= 501),
    readsFromBreakpoints: version >= 506,
  };
}
