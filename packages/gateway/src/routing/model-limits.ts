import type { Target } from './target.ts';

/** What a model can take, in tokens. */
export interface ModelLimits {
  /** Prompt and answer together. */
  context: number;
  output: number;
}

/** Families of models as their makers describe them; the first that fits counts. */
const KNOWN: readonly [name: RegExp, context: number, output: number][] = [
  [/claude-(?:opus-4|3-opus)/, 200_000, 32_000],
  [/claude/, 200_000, 64_000],
  [/gpt-5|codex/, 400_000, 128_000],
  [/gpt-4\.1/, 1_047_576, 32_768],
  [/gpt-4o|gpt-4-turbo/, 128_000, 16_384],
  [/(?:^|\/)o[134](?:-|$)/, 200_000, 100_000],
  [/gemini/, 1_048_576, 65_536],
  [/qwen3?-coder/, 262_144, 65_536],
  [/kimi-k2/, 262_144, 32_768],
  [/glm-4\.[56]/, 200_000, 98_304],
  [/deepseek/, 128_000, 8_192],
];

/** A modest guess: most models of today take more. */
const UNKNOWN: ModelLimits = { context: 128_000, output: 8_192 };

/** How much a model takes, where that is configured or its family is known. */
export function knownContext({ provider, model }: Target): number | undefined {
  const configured = provider.limits[model] ?? provider.limits['*'];
  return configured?.context ?? knownFamily(model)?.[1];
}

/** The limits of a model: as configured, else as its family is known, else a modest guess. */
export function modelLimits({ provider, model }: Target): ModelLimits {
  const configured = provider.limits[model] ?? provider.limits['*'];
  const known = knownFamily(model);
  const assumed = known === undefined ? UNKNOWN : { context: known[1], output: known[2] };
  if (configured === undefined) return assumed;
  const { context, output = Math.min(assumed.output, Math.ceil(context / 4)) } = configured;
  return { context, output };
}

function knownFamily(model: string): (typeof KNOWN)[number] | undefined {
  return KNOWN.find(([name]) => name.test(model.toLowerCase()));
}
