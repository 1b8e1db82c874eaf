import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { collectLicences } from './collect-licences.ts';
import { placeOfModule } from './place-of-module.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the server reads beside its code, where it stands in the checkout; what has a `?` may be missing. */
const READ_FILES = [
  'packages/cli/console',
  'packages/cli/dragoman.schema.json',
  'packages/context/ranker.json',
  'packages/context/vectors.bin?',
];

/** Packages that bring files of their own; they stay packages, with only what is read of them. */
const KEPT_PACKAGES: Record<string, string[]> = {
  '@vscode/tree-sitter-wasm': ['wasm/tree-sitter.js', 'wasm/tree-sitter.wasm', 'wasm/tree-sitter-bash.wasm'],
};

/** Native packages, and what does their work here. */
const REPLACED: Record<string, string> = {
  '@parcel/watcher': 'in-place-of/parcel-watcher.ts',
  '@vscode/ripgrep': 'in-place-of/ripgrep.ts',
};

/** The editor's Node may be older than the one the sources need; what it lacks of the language is written out. */
const TARGET = 'node22';

/**
 * The whole server as plain JavaScript without native code, for whatever Node the editor runs on.
 *
 * All code is in `chunks`, in one folder. Around it is the checkout in small: code that reads a file or starts a thread
 * by its own place (`import.meta.url`) is told the place it has in the checkout, and finds there what it looks for.
 */
export async function bundleServer(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const workers = globSync('packages/*/src/**/*-worker.ts', { cwd: root })
    .filter((path) => !path.endsWith('start-worker.ts'))
    .toSorted();
  const bundle = await rolldown({
    cwd: root,
    input: {
      main: join(root, 'packages/cli/src/main.ts'),
      ...Object.fromEntries(workers.map((path) => [nameOf(path), join(root, path)])),
    },
    platform: 'node',
    external: [...Object.keys(KEPT_PACKAGES), 'pg-native'],
    resolve: {
      conditionNames: ['@dragoman/source', 'node', 'module', 'default'],
      // Some packages offer a second form for bundlers; the first one of theirs finds its parts at run time.
      mainFields: ['module', 'main'],
      alias: Object.fromEntries(
        Object.entries(REPLACED).map(([name, path]) => [name, fileURLToPath(new URL(path, import.meta.url))]),
      ),
    },
    // Some packages ask for their folder in the words of CommonJS.
    transform: { target: TARGET, define: { __dirname: 'import.meta.dirname' } },
    plugins: [placeInCheckout()],
  });
  const { output } = await bundle.write({
    dir: join(out, 'chunks'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    comments: { legal: false },
  });
  await bundle.close();

  for (const path of workers) {
    const file = join(out, path.replace(/\.ts$/, '.js'));
    const chunk = relative(dirname(file), join(out, 'chunks', `${nameOf(path)}.js`)).replaceAll(sep, '/');
    write(file, `import '${chunk}';\n`);
  }
  for (const name of READ_FILES) copy(name, out);
  for (const [name, files] of Object.entries(KEPT_PACKAGES))
    for (const file of ['package.json', 'LICENSE', ...files]) copy(`node_modules/${name}/${file}`, out);
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string };
  write(join(out, 'package.json'), `${JSON.stringify({ type: 'module', version }, undefined, 2)}\n`);
  cpSync(fileURLToPath(new URL('server-entry.js', import.meta.url)), join(out, 'dragoman.js'));

  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
  write(join(out, 'THIRD-PARTY-LICENCES.txt'), collectLicences(root, modules, Object.keys(KEPT_PACKAGES)));
}

/** Our own modules keep the place they have in the checkout, whichever chunk they end up in. */
function placeInCheckout(): Plugin {
  return {
    name: 'place-in-checkout',
    transform: {
      filter: { id: /^(?!.*[\\/]node_modules[\\/])/ },
      handler(code, id) {
        const place = placeOfModule(root, id)?.replace(/\.ts$/, '.js');
        if (place === undefined || !code.includes('import.meta.url')) return undefined;
        return code.replaceAll('import.meta.url', `new URL('../${place}', import.meta.url).href`);
      },
    },
  };
}

function nameOf(worker: string): string {
  return worker.replaceAll('\\', '/').split('/').at(-1)!.replace(/\.ts$/, '');
}

function copy(name: string, out: string): void {
  const path = name.replace(/\?$/, '');
  if (path !== name && !existsSync(join(root, path))) return;
  cpSync(join(root, path), join(out, path), { recursive: true, filter: (from) => !from.endsWith('.built-from') });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
