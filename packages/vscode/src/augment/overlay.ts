import type * as vscode from 'vscode';

/** Settings that are seen without being written: `{ augment: { advanced: { … } } }`. */
export type OverlaidSettings = Readonly<Record<string, unknown>>;

/** Where what is overlaid comes from. */
export interface OverlaySource {
  /** What is overlaid now; nothing means that the real settings are seen. */
  read(): OverlaidSettings | undefined;
  /** Tells that it changed. */
  onDidChange: vscode.Event<void>;
  /** What went wrong in the overlay; the real thing was handed out instead. */
  onFailure(error: unknown): void;
}

/** The one setting that is. */
const OVERLAID = 'augment.advanced';

type Api = typeof vscode;
type Configuration = vscode.WorkspaceConfiguration;

/**
 * The editor's API with some settings overlaid, for one other extension.
 *
 * The real objects are frozen, and a proxy that answers for a frozen property throws; so each is a new object that
 * inherits from the real one. It has every property of its own as well, because bundlers copy own properties. Whatever
 * goes wrong here leads to the real thing: an extension of somebody else never fails because of us.
 */
export function overlayApi(real: Api, source: OverlaySource): Api {
  const failOpen = <Result>(overlaid: () => Result, otherwise: () => Result): Result => {
    try {
      return overlaid();
    } catch (error) {
      source.onFailure(error);
      return otherwise();
    }
  };
  const getConfiguration: Api['workspace']['getConfiguration'] = (section, scope) => {
    const configuration = real.workspace.getConfiguration(section, scope);
    return failOpen(
      () => overlayConfiguration(configuration, section ?? '', source.read()),
      () => configuration,
    );
  };
  const onDidChangeConfiguration: Api['workspace']['onDidChangeConfiguration'] = (listener, thisArg, disposables) => {
    const heard = real.workspace.onDidChangeConfiguration(listener, thisArg);
    const own = source.onDidChange(() =>
      failOpen(
        () => void listener.call(thisArg, { affectsConfiguration: isRelated }),
        () => undefined,
      ),
    );
    const both = { dispose: () => (own.dispose(), heard.dispose()) };
    disposables?.push(both);
    return both;
  };
  return failOpen(
    () => variantOf(real, { workspace: variantOf(real.workspace, { getConfiguration, onDidChangeConfiguration }) }),
    () => real,
  );
}

/** A section as it is now: the editor's own objects do not change after they were handed out either. */
function overlayConfiguration(
  real: Configuration,
  section: string,
  overlaid: OverlaidSettings | undefined,
): Configuration {
  const here = section === '' ? overlaid : lookUp(overlaid, section);
  if (!isRecord(here)) return real;
  const at = (key: string) => lookUp(here, key);
  const shown = Object.keys(here).map((key) => [key, merged(read(real, key), here[key])]);
  const changes = {
    ...(Object.fromEntries(shown) as object),
    get: (key: string, otherwise?: unknown) => merged(real.get(key, otherwise), at(key)),
    has: (key: string) => at(key) !== undefined || real.has(key),
    inspect: (key: string) => merged(real.inspect(key) ?? { key }, inspected(real.inspect(key), at(key))),
    // What is only seen is never written: a value that was read, changed and saved has ours taken out again.
    update: (key: string, value: unknown, ...more: []) =>
      real.update(key, without(value, at(key), real.get(key)), ...more),
  };
  return variantOf(real, changes as unknown as Partial<Configuration>);
}

/** The overlay stands over the user's value, and over those of a workspace where it has some: a repository changes nothing. */
function inspected(found: object | undefined, overlaid: unknown): unknown {
  if (overlaid === undefined) return undefined;
  const levels = ['workspaceValue', 'workspaceFolderValue'].filter((level) => read(found ?? {}, level) !== undefined);
  return Object.fromEntries(['globalValue', ...levels].map((level) => [level, overlaid]));
}

/** A new object that inherits from the real one and differs from it in some properties. */
function variantOf<Real extends object>(real: Real, changes: Partial<Real>): Real {
  const properties: PropertyDescriptorMap = {};
  for (const key of Reflect.ownKeys(real)) {
    const enumerable = Object.getOwnPropertyDescriptor(real, key)?.enumerable ?? true;
    properties[key as string] = { enumerable, configurable: true, get: () => read(real, key) };
  }
  for (const key of Reflect.ownKeys(changes))
    properties[key as string] = { enumerable: true, configurable: true, value: read(changes, key) };
  return Object.create(real, properties) as Real;
}

/** The value under a dotted name. */
function lookUp(overlaid: OverlaidSettings | undefined, name: string): unknown {
  let value: unknown = overlaid;
  for (const step of name.split('.')) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

function isRelated(section: string): boolean {
  return OVERLAID === section || OVERLAID.startsWith(`${section}.`) || section.startsWith(`${OVERLAID}.`);
}

/** The overlaid fields over the real ones, all the way down. */
function merged(real: unknown, overlaid: unknown): unknown {
  if (overlaid === undefined) return real;
  if (!isRecord(overlaid)) return overlaid;
  const fields = Object.entries(overlaid).map(([name, value]) => [
    name,
    merged(isRecord(real) ? real[name] : undefined, value),
  ]);
  return { ...(isRecord(real) ? real : {}), ...(Object.fromEntries(fields) as object) };
}

/** A value to be written, with overlaid fields as they really are. */
function without(value: unknown, overlaid: unknown, real: unknown): unknown {
  if (overlaid === undefined) return value;
  if (!isRecord(overlaid) || !isRecord(value)) return value === overlaid ? real : value;
  const kept: Record<string, unknown> = { ...value };
  for (const [name, over] of Object.entries(overlaid)) {
    if (!Object.hasOwn(kept, name)) continue;
    const written = without(kept[name], over, isRecord(real) ? real[name] : undefined);
    if (written === undefined) delete kept[name];
    else kept[name] = written;
  }
  return kept;
}

function read(from: object, key: PropertyKey): unknown {
  return Reflect.get(from, key) as unknown;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
