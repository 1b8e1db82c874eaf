import { createHash } from 'node:crypto';

/** How a client wants to be called, in OpenAI's words: as a function, with free text, or with an item of a kind of its own. */
type ToolForm = 'function' | 'custom' | 'tool_search' | 'local_shell' | 'shell' | 'apply_patch';

/** A tool as its client knows it. */
export interface ClientTool {
  form: ToolForm;
  name: string;
  namespace?: string;
}

/** What every provider takes as the name of a function. */
const LEGAL = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;
/** OpenAI's name for the tools that stand in no other namespace. */
const DEFAULT_NAMESPACE = 'functions';

/**
 * The names under which a model knows a client's tools, and the way back.
 *
 * A provider knows functions only, by one flat name each. A tool keeps its own name where that is legal and free; another
 * gets one that is made from its own, with a digest. Names depend on the tools before them and on nothing else, so a
 * conversation that grows keeps them.
 */
export class ToolNames {
  readonly #tools = new Map<string, ClientTool>();
  readonly #names = new Map<string, string>();

  /** The name of a tool that is offered or was called before. */
  nameOf(tool: ClientTool): string {
    const key = `${tool.form}:${tool.namespace === undefined ? '' : JSON.stringify(tool.namespace)}:${tool.name}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#freeName(flatName(tool), key);
    this.#names.set(key, name);
    this.#tools.set(name, tool);
    return name;
  }

  /** The tool that a model means. A name that nobody offered is given back as it is. */
  toolOf(name: string): ClientTool {
    return this.#tools.get(name) ?? { form: 'function', name };
  }

  #freeName(flat: string, key: string): string {
    if (LEGAL.test(flat) && !this.#tools.has(flat)) return flat;
    const start = flat.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
    for (let attempt = 0; ; attempt++) {
      const digest = createHash('sha256').update(`${attempt}:${key}`).digest('hex').slice(0, 8);
      const name = `${start.slice(0, MAX_LENGTH - 9)}_${digest}`;
      if (!this.#tools.has(name)) return name;
    }
  }
}

function flatName({ name, namespace }: ClientTool): string {
  if (namespace === undefined || namespace === '' || namespace === DEFAULT_NAMESPACE) return name;
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}
