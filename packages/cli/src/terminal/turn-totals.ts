import { addTokens, type LoggedEvent, type ModelName, NO_TOKENS, type Tokens } from '@dragoman/protocol';
import { formatCost, formatCount, formatDuration, formatNumber } from './format-amounts.ts';

/** What the work that was watched came to. Tokens and cost are of subagents too; steps and calls of the session itself. */
export class TurnTotals {
  #model: ModelName | undefined;
  #steps = 0;
  #toolCalls = 0;
  #tokens: Tokens = NO_TOKENS;
  #cost = 0;
  #startedAt: number | undefined;
  #endedAt: number | undefined;

  add({ event, at }: LoggedEvent, isSubagent: boolean): void {
    if (event.type === 'finish-step') {
      this.#tokens = addTokens(this.#tokens, event.tokens);
      this.#cost += event.cost;
    }
    if (isSubagent) return;
    if (event.type === 'turn-started') this.#startedAt ??= at;
    else if (event.type === 'turn-finished') this.#endedAt = at;
    else if (event.type === 'tool-call') this.#toolCalls++;
    else if (event.type === 'start-step') {
      this.#steps++;
      this.#model = event.info.model;
    }
  }

  /** `claude-sonnet-5 · 3 steps · 5 tool calls · 12,345 tokens in (8,000 cached), 678 out · $0.0123 · 12.3 s` */
  describe(now: number): string | undefined {
    if (this.#steps === 0) return undefined;
    const { input, output, reasoning, cache } = this.#tokens;
    const cached = cache.read === 0 ? '' : ` (${formatNumber(cache.read)} cached)`;
    const read = input + cache.read + cache.write;
    const written = output + reasoning;
    return [
      this.#model?.modelID,
      formatCount(this.#steps, 'step'),
      this.#toolCalls === 0 ? undefined : formatCount(this.#toolCalls, 'tool call'),
      read + written === 0 ? undefined : `${formatNumber(read)} tokens in${cached}, ${formatNumber(written)} out`,
      this.#cost === 0 ? undefined : formatCost(this.#cost),
      this.#startedAt === undefined ? undefined : formatDuration((this.#endedAt ?? now) - this.#startedAt),
    ]
      .filter((piece) => piece !== undefined)
      .join(' · ');
  }
}
