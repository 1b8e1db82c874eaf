import type { LoggedEvent } from '@dragoman/protocol';
import { cleanLine } from './terminal/clean-text.ts';

/** The part of a refusal that says what would allow the call: a line as it stands in the configuration. */
const HINT = /a line in "permissions" of dragoman\.json: (.+)\.$/m;

type Rules = Record<string, string | Record<string, string>>;

/** Counts the calls that were refused because nobody could be asked, and tells the way out at the end, once and in full. */
export class UnaskedCalls {
  readonly #counts = new Map<string, number>();
  readonly #rules: Rules = {};
  #hasUnnamed = false;

  /** Takes note of an event; `tool` names the call that it is about. */
  add({ event }: LoggedEvent, tool: (messageID: string, partID: string) => string | undefined): void {
    if (event.type !== 'tool-result' || event.state.status !== 'error') return;
    const { metadata, error } = event.state;
    if (metadata?.['denied'] !== true || metadata['nobodyToAsk'] !== true) return;
    const name = tool(event.messageID, event.partID) ?? 'a tool';
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    const hint = HINT.exec(error)?.[1];
    if (hint === undefined || !this.#merge(hint)) this.#hasUnnamed = true;
  }

  /** Nothing where no call was refused so. */
  describe(): string | undefined {
    const count = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    if (count === 0) return undefined;
    const tools = Array.from(this.#counts, ([tool, times]) => (times === 1 ? tool : `${tool} (${times} times)`));
    const refused = `${count === 1 ? '1 call was' : `${count} calls were`} denied because there was no one to ask: ${tools.join(', ')}.`;
    const rules = Object.keys(this.#rules).length === 0 ? undefined : `"permissions": ${written(this.#rules)}`;
    const which = this.#hasUnnamed ? 'for some of them ' : '';
    const way =
      rules === undefined
        ? 'To approve such calls, run with --yes, or add rules to "permissions" in dragoman.json.'
        : `To approve such calls, run with --yes, or ${which}add this to dragoman.json: ${rules}`;
    return `${cleanLine(refused)} ${cleanLine(way)}`;
  }

  #merge(hint: string): boolean {
    let rules: Rules;
    try {
      rules = JSON.parse(`{${hint}}`) as Rules;
    } catch {
      return false;
    }
    for (const [tool, rule] of Object.entries(rules)) {
      const known = this.#rules[tool];
      if (typeof rule === 'string' || typeof known === 'string') this.#rules[tool] = 'allow';
      else this.#rules[tool] = { ...known, ...rule };
    }
    return true;
  }
}

/** JSON in a line, with room to breathe. */
function written(value: string | Rules): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${written(inner)}`)
    .join(', ')} }`;
}
