/** What differs between the models that are asked through Messages. */
export interface ClaudeModel {
  /** How it is told to think: it measures for itself, it is given a budget, or it cannot. */
  thinking: 'adaptive' | 'budget' | 'never';
  /** Whether it may be told not to think. */
  canSkipThinking: boolean;
  /** Whether it knows an effort between `high` and `max`. */
  hasExtraHighEffort: boolean;
  /** Whether temperature and its kin are taken; newer models refuse them. */
  takesSampling: boolean;
  /** Whether temperature and top_p may come together. */
  takesTemperatureWithTopP: boolean;
  /** Whether its calls can be held to the schema of a tool. */
  takesStrictTools: boolean;
}

/**
 * Told by the name, because the service refuses what a model does not know and there is no asking beforehand.
 *
 * A Claude without a version that can be read is taken for a new one. Other makers' models behind the same protocol
 * follow its older form.
 */
export function claudeModel(name: string): ClaudeModel {
  const family = /claude[-.](.*)$/i.exec(name)?.[1];
  const version = family === undefined ? undefined : versionIn(family);
  const isAtLeast = (wanted: number) => family !== undefined && (version === undefined || version >= wanted);
  return {
    thinking: isAtLeast(406) ? 'adaptive' : family !== undefined && !isAtLeast(307) ? 'never' : 'budget',
    canSkipThinking: !/fable|mythos/i.test(family ?? ''),
    hasExtraHighEffort: isAtLeast(407),
    takesSampling: !isAtLeast(407),
    takesTemperatureWithTopP: !isAtLeast(401),
    takesStrictTools: family === undefined || isAtLeast(401),
  };
}

/** 405 for `sonnet-4-5-20250929`, `4.5-sonnet` and `haiku-4-5@20251001`; a date is no version. */
function versionIn(family: string): number | undefined {
  const found = /(?:^|-)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(family);
  return found === null ? undefined : Number(found[1]) * 100 + Number(found[2] ?? 0);
}
