import type { WrittenTrees } from './boost.ts';

/** Several fits as one: all their trees, each counting for its share. */
export function averageTrees(models: readonly WrittenTrees[]): WrittenTrees {
  const roots: number[] = [];
  const feature: number[] = [];
  const value: number[] = [];
  const right: number[] = [];
  for (const model of models) {
    for (const root of model.roots) roots.push(root + feature.length);
    for (const [node, of] of model.feature.entries()) {
      const share = of < 0 ? model.value[node]! / models.length : model.value[node]!;
      value.push(Number(share.toPrecision(6)));
    }
    feature.push(...model.feature);
    right.push(...model.right);
  }
  return { features: models[0]!.features, roots, feature, value, right };
}
