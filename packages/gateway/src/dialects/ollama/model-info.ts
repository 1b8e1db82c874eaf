import { createHash } from 'node:crypto';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { modelLimits } from '../../routing/model-limits.ts';
import type { Target } from '../../routing/target.ts';

/** What clients look for the numbers of a model under; with Ollama it is the name of its family. */
const ARCHITECTURE = 'dragoman';
const MADE_AT = '1970-01-01T00:00:00Z';
const DETAILS = {
  parent_model: '',
  format: '',
  family: ARCHITECTURE,
  families: [ARCHITECTURE],
  parameter_size: '',
  quantization_level: '',
};

/** Families that think before they answer; for others clients do not offer it. */
const THINKS =
  /claude-(?:3-7|(?:opus|sonnet|haiku|fable)-[4-9])|gpt-(?:[5-9]|oss)|codex|(?:^|\/)o[1-9](?:-|$)|gemini-(?:2\.5|[3-9])|qwen3|deepseek-(?:r|v3\.)|magistral|glm-[45]|thinking/i;

/** A model in the list. It has no size here; the digest tells it from others. */
export function listedModel(name: string) {
  const digest = createHash('sha256').update(name).digest('hex');
  return { name, model: name, modified_at: MADE_AT, size: 0, digest, details: DETAILS };
}

/** A model by itself: what it can do, and how much it takes. A name that leads nowhere is refused. */
export function shownModel(name: string, config: GatewayConfig, asker: ModelAsker) {
  const [target] = resolveAllowed(name, config, asker).targets;
  return {
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details: DETAILS,
    model_info: {
      'general.architecture': ARCHITECTURE,
      'general.basename': name,
      ...(target === undefined ? {} : { [`${ARCHITECTURE}.context_length`]: modelLimits(target).context }),
    },
    capabilities: capabilitiesOf(target),
    modified_at: MADE_AT,
  };
}

function capabilitiesOf(target: Target | undefined): string[] {
  const seesImages = target?.provider.images === true;
  const thinks = target !== undefined && THINKS.test(target.model);
  return ['completion', 'tools', ...(seesImages ? ['vision'] : []), ...(thinks ? ['thinking'] : [])];
}
