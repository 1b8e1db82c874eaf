import type { FeatureName } from '../../packages/context/src/index/rank/file-features.ts';

/** Where more is never worse (1) or never better (-1), whatever a few hundred questions seem to say. */
export const MONOTONE: Partial<Record<FeatureName, 1 | -1>> = {};
