import type { ContentBlockOf } from '@dragoman/protocol';
import { countIn, type Fields, fieldsIn } from '../../backend/fields.ts';

type Usage = Omit<ContentBlockOf<'usage'>, 'type'>;

/**
 * What each turn took, from what Claude Code tells at its end.
 *
 * Tokens are those of the turn. The cost is a running total: of the process, and in later releases of the whole
 * conversation. Of a conversation that began before us the total so far is not known, so its first turn tells no cost.
 */
export class TurnUsage {
  #costSoFar: number | undefined;
  #context: number | undefined;

  constructor(isNew: boolean) {
    this.#costSoFar = isNew ? 0 : undefined;
  }

  /** Takes a message of the model: what it was given and what it said is the context as it is then. */
  step(usage: Fields): void {
    const tokens = inputOf(usage) + (countIn(usage, 'output_tokens') ?? 0);
    if (tokens > 0) this.#context = tokens;
  }

  /** What the turn took, from its `result`; nothing where that tells nothing. */
  turn(result: Fields): Usage | undefined {
    const usage = fieldsIn(result, 'usage');
    const input = inputOf(usage);
    const took: Usage = {
      ...counted('input_tokens', input),
      ...counted('output_tokens', countIn(usage, 'output_tokens')),
      ...counted('cache_read_tokens', countIn(usage, 'cache_read_input_tokens')),
      ...counted('cache_write_tokens', countIn(usage, 'cache_creation_input_tokens')),
      ...counted('cost_usd', this.#cost(countIn(result, 'total_cost_usd'))),
    };
    const isWorthTelling = Object.keys(took).length > 0;
    const context = {
      ...counted('context_used', this.#context),
      ...counted('context_size', contextSize(fieldsIn(result, 'modelUsage'))),
    };
    return isWorthTelling ? { ...took, ...context } : undefined;
  }

  #cost(total: number | undefined): number | undefined {
    if (total === undefined) return undefined;
    const before = this.#costSoFar;
    this.#costSoFar = total;
    if (before === undefined) return undefined;
    // A total that went down is that of a new process.
    return total >= before ? total - before : total;
  }
}

/** All that the model was given, be it from a cache or not. */
function inputOf(usage: Fields): number {
  const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return names.reduce((sum, name) => sum + (countIn(usage, name) ?? 0), 0);
}

/** The window of the model that did the most. */
function contextSize(models: Fields): number | undefined {
  const used = Object.keys(models).map((name) => fieldsIn(models, name));
  const [most] = used.toSorted((a, b) => (countIn(b, 'costUSD') ?? 0) - (countIn(a, 'costUSD') ?? 0));
  return most && countIn(most, 'contextWindow');
}

function counted(name: keyof Usage, count: number | undefined): Usage {
  return count === undefined || count === 0 ? {} : { [name]: count };
}
