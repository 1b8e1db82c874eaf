import Module from 'node:module';
import { sep } from 'node:path';

type Load = (this: unknown, request: string, parent: { filename?: string } | undefined, isMain: boolean) => unknown;

/** Node's loader as far as it is wrapped. */
interface Loader {
  _load: Load;
}

/** Whose `vscode` is changed, and into what. */
export interface LoaderHook {
  /** The folder of the other extension; nothing while it is not installed. */
  folder(): string | undefined;
  replace(api: object): object;
  /** For tests; Node's own otherwise. */
  loader?: Loader;
}

/**
 * Hands another extension of this process a `vscode` of our making.
 *
 * Only files in its folder, and only this one module: everything else is loaded as if we were not here. The same object
 * is handed out for the same real one, as the other extension may compare.
 */
export function hookLoader({ folder, replace, loader = Module as unknown as Loader }: LoaderHook): { dispose(): void } {
  const made = new WeakMap<object, object>();
  const original = loader._load;
  let isOn = true;
  const load: Load = function (this: unknown, request, parent, isMain) {
    const loaded = original.call(this, request, parent, isMain);
    if (!isOn || request !== 'vscode' || typeof loaded !== 'object' || loaded === null) return loaded;
    if (!isInside(parent?.filename, folder())) return loaded;
    let replaced = made.get(loaded);
    if (replaced === undefined) made.set(loaded, (replaced = replace(loaded)));
    return replaced;
  };
  loader._load = load;
  return {
    dispose() {
      isOn = false;
      // Somebody else may have wrapped it since; then ours stays in the chain and does nothing.
      if (loader._load === load) loader._load = original;
    },
  };
}

function isInside(file: string | undefined, folder: string | undefined): boolean {
  if (file === undefined || folder === undefined || folder === '') return false;
  const [path, root] = [comparable(file), comparable(folder)];
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Windows writes the letter of a drive as it likes. */
function comparable(path: string): string {
  return sep === '\\' ? path.toLowerCase() : path;
}
