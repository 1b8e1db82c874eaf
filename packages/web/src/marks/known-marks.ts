/** How a thing is known at a glance: a colour of its own, as a hue of the wheel, and its letters. */
export interface KnownMark {
  hue: number;
  letters: string;
}

/** The agents that come with the product, by the name a machine offers them by. Neighbours differ in colour. */
const AGENTS: Readonly<Record<string, KnownMark>> = {
  chat: { hue: 230, letters: 'Ch' },
  ollama: { hue: 95, letters: 'Ol' },
  claude: { hue: 40, letters: 'CC' },
  codex: { hue: 275, letters: 'Cx' },
  opencode: { hue: 330, letters: 'OC' },
  gemini: { hue: 255, letters: 'Ge' },
  copilot: { hue: 300, letters: 'Gh' },
  qwen: { hue: 290, letters: 'Qw' },
  qoder: { hue: 145, letters: 'Qo' },
  pi: { hue: 10, letters: 'Pi' },
  cline: { hue: 200, letters: 'Cl' },
  kimi: { hue: 265, letters: 'Ki' },
  goose: { hue: 70, letters: 'Go' },
  cursor: { hue: 215, letters: 'Cu' },
  grok: { hue: 350, letters: 'Gk' },
  auggie: { hue: 120, letters: 'Au' },
};

/** Who makes a model, by how its name begins behind the name of its provider. */
const FAMILIES: readonly (KnownMark & { names: RegExp })[] = [
  { names: /^(?:claude|anthropic)/, hue: 40, letters: 'An' },
  { names: /^(?:gpt|o\d|chatgpt|openai|text-embedding|codex)/, hue: 165, letters: 'OA' },
  { names: /^(?:gemini|gemma|google)/, hue: 255, letters: 'Ge' },
  { names: /^deepseek/, hue: 275, letters: 'DS' },
  { names: /^(?:qwen|qwq)/, hue: 290, letters: 'Qw' },
  { names: /^(?:llama|meta)/, hue: 235, letters: 'Ll' },
  { names: /^(?:mistral|mixtral|codestral|devstral)/, hue: 60, letters: 'Mi' },
  { names: /^(?:grok|xai)/, hue: 350, letters: 'Gk' },
  { names: /^(?:kimi|moonshot)/, hue: 265, letters: 'Ki' },
  { names: /^(?:glm|zai|z-ai)/, hue: 210, letters: 'GL' },
  { names: /^openrouter/, hue: 310, letters: 'OR' },
  { names: /^ollama/, hue: 95, letters: 'Ol' },
  { names: /^offline/, hue: 185, letters: 'Of' },
];

/** The mark of an agent. What speaks another protocol with the same agent looks like it. */
export function markOfAgent(name: string, title?: string): KnownMark {
  return AGENTS[name.replace(/-acp$/, '')] ?? markOfName(title ?? name);
}

/** The mark of a model or a provider: that of who makes it, where its name tells. */
export function markOfModel(name: string): KnownMark {
  const parts = name.toLowerCase().split('/').toReversed();
  for (const part of parts) {
    const family = FAMILIES.find(({ names }) => names.test(part));
    if (family !== undefined) return { hue: family.hue, letters: family.letters };
  }
  return markOfName(name.slice(name.lastIndexOf('/') + 1) || name);
}

const HUES = 24;

/** Of any other name: always the same for the same name. */
function markOfName(name: string): KnownMark {
  let sum = 0;
  for (const sign of name.toLowerCase()) sum = (sum * 31 + sign.codePointAt(0)!) >>> 0;
  return { hue: (sum % HUES) * (360 / HUES), letters: lettersOf(name) };
}

/** The beginnings of its first two words, or of its only one. */
function lettersOf(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const [one, other] = words;
  if (one === undefined) return '?';
  const signs = Array.from(one);
  // One sign of a script that has no small letters says as much as two of ours.
  if (!/\p{Lu}|\p{Ll}|\p{N}/u.test(signs[0]!)) return signs[0]!;
  return signs[0]!.toUpperCase() + (other === undefined ? (signs[1] ?? '') : Array.from(other)[0]!.toUpperCase());
}
