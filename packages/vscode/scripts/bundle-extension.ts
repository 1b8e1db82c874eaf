import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { placeOfModule } from './place-of-module.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The extension as one CommonJS file; `vscode` is what the editor puts there when it loads it. */
export async function bundleExtension(file: string): Promise<void> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../src/extension.ts', import.meta.url)),
    platform: 'node',
    external: ['vscode'],
    resolve: {
      conditionNames: ['@dragoman/source', 'node', 'import', 'module', 'default'],
      // As for the server: the first form that some packages offer finds its parts at run time.
      mainFields: ['module', 'main'],
    },
    transform: { target: 'node22' },
  });
  const { output } = await bundle.write({ file, format: 'cjs', minify: { compress: true, mangle: false } });
  await bundle.close();
  for (const chunk of output)
    if (chunk.type === 'chunk') for (const id of Object.keys(chunk.modules)) placeOfModule(root, id);
}
