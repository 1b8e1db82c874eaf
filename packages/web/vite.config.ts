import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [onlyNewFonts(), react(), tailwindcss(), diagramFrame(), packOnce()],
  resolve: { conditions: ['@dragoman/source', 'module', 'browser', 'import'] },
  build: {
    outDir: '../cli/console', // The server hands this folder out; it is part of the published command.
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // The content policy knows no data: addresses for what we ship.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What many pages share travels together instead of in fifty files.
        codeSplitting: {
          groups: [{ name: 'shared', test: /lucide-react|web\/src\/(design|words|api)\//, minShareCount: 2 }],
        },
      },
    },
  },
  server: {
    // What draws diagrams is the built one.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/diagram-frame', '/assets'].map((path) => [path, 'http://127.0.0.1:4747']),
    ),
  },
});

/** Fonts of formulas come in three forms; every browser that can run the console reads the smallest. */
function onlyNewFonts(): Plugin {
  return {
    name: 'only-new-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('katex/dist/katex.css')) return undefined;
      return code.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, '');
    },
  };
}

/**
 * The document that draws diagrams, and its script: one plain file, as a document of no origin may load no modules. The server fills in
 * the number that lets the script run.
 */
function diagramFrame(): Plugin {
  return {
    name: 'diagram-frame',
    apply: 'build',
    async generateBundle() {
      const { output } = await buildScript(join(import.meta.dirname, 'src/diagram/diagram-frame.ts'));
      const name = this.emitFile({ type: 'asset', name: 'diagram-frame.js', source: output[0].code });
      const script = `<script nonce="__NONCE__" src="/${this.getFileName(name)}"></script>`;
      const source = `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Diagrams</title></head><body>${script}</body></html>\n`;
      this.emitFile({ type: 'asset', fileName: 'diagram-frame.html', source });
    },
  };
}

async function buildScript(entry: string): Promise<Rolldown.RolldownOutput> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [withoutFormulas()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      lib: { entry, formats: ['iife'], name: 'diagramFrame' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return (built as Rolldown.RolldownOutput[])[0]!;
}

/** Formulas in diagrams would be HTML, which these have none of; they are shown as they are written. */
function withoutFormulas(): Plugin {
  return {
    name: 'without-formulas',
    enforce: 'pre',
    resolveId: (id) => (id === 'katex' ? '\0no-katex' : undefined),
    load: (id) => (id === '\0no-katex' ? 'export default { renderToString: (text) => text };' : undefined),
  };
}

/** Files are packed when they are built, so that the server never does it. */
function packOnce(): Plugin {
  return {
    name: 'pack-once',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir!, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|webmanifest)$/.test(name)) continue;
        const file = join(dir!, name);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
      }
    },
  };
}
