/** What an address asks for: `models/NAME:METHOD`. */
export interface ModelPath {
  /** The name that the client asked for, as routes and providers know it. */
  asked: string;
  /** Empty where the address only names the model. */
  method: string;
}

/** `publishers/PUBLISHER/models/NAME`, in front of which Vertex AI has the project. */
const PUBLISHED = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/([^/]+)\/models\/(.+)$/s;
const OWN_PREFIX = /^models\//;

/**
 * Reads what stands behind the version of an address.
 *
 * Names hold slashes, as in `provider/model`, and Google's client writes such a name as `publishers/provider/models/model`
 * in its Vertex mode. Names of some local models hold a colon, so the last one counts. Undefined where it names no model.
 */
export function parseModelPath(path: string): ModelPath | undefined {
  const colon = path.lastIndexOf(':');
  const hasMethod = colon !== -1 && /^[a-zA-Z]+$/.test(path.slice(colon + 1));
  const named = hasMethod ? path.slice(0, colon) : path;
  const method = hasMethod ? path.slice(colon + 1) : '';
  const [, publisher, model] = PUBLISHED.exec(named) ?? [];
  if (publisher !== undefined && model !== undefined)
    return { asked: publisher === 'google' ? model : `${publisher}/${model}`, method };
  if (named.startsWith('tunedModels/')) return { asked: named, method };
  return OWN_PREFIX.test(named) ? { asked: named.replace(OWN_PREFIX, ''), method } : undefined;
}
