import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [onlyNewFonts(), react(), tailwindcss(), packOnce()],
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
  server: { proxy: { '/api': 'http://127.0.0.1:4747', '/v1': 'http://127.0.0.1:4747' } },
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
