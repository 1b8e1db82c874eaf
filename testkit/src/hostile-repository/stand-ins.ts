import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs what a Python file hands to the shell, which is all that our Python files do. */
const PYTHON = String.raw`run() { sed -n 's/.*os\.system("\(.*\)").*/\1/p' "$1" 2>/dev/null | sh; }`;
/** The value of `key = "value"` or `key: value` in a file. */
const VALUE = String.raw`value() { sed -n "s/^ *\"\{0,1\}$1\"\{0,1\} *[:= ] *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" 2>/dev/null | head -1; }`;

/**
 * Programs that are not on every machine, or do nothing without a network. Each does with a project's files what the real
 * one does, as far as that runs something.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  // Before anything else both generations of yarn start the program that the project names.
  yarn: `y=$(value yarn-path .yarnrc)$(value yarnPath .yarnrc.yml); [ -n "$y" ] && exec sh "$y" "$@"; echo 1.22.22`,
  // As corepack does, which takes the package manager from the address that the project names.
  pnpm: `p=$(sed -n 's/.*"packageManager": *"[^"]*@file:\\([^"#]*\\).*/\\1/p' package.json 2>/dev/null)
[ -n "$p" ] && exec sh "$p" "$@"
[ -f .pnpmfile.cjs ] && [ "$1" = install ] && exec node .pnpmfile.cjs
echo 9.0.0`,
  npm: `s=$(value script-shell .npmrc); o=$(value node-options .npmrc)
case "$1" in
  install) sed -n 's/.*"preinstall": *"\\([^"]*\\)".*/\\1/p' package.json | sh ;;
  test) sed -n 's/.*"test": *"\\([^"]*\\)".*/\\1/p' package.json | sh "\${s:-/dev/stdin}" ;;
  run) [ -n "$o" ] && NODE_OPTIONS="$o" node -e 0 ;;
  *) echo 11.0.0 ;;
esac`,
  npx: `[ "$1" = -y ] && shift; [ -x "node_modules/.bin/$1" ] && exec "node_modules/.bin/$1"; exit 1`,
  // rustup's shims look for a toolchain in the project, and cargo for wrappers of the compiler.
  rustc: `p=$(value path rust-toolchain.toml); [ -n "$p" ] && exec sh "$p/bin/rustc" "$@"; echo rustc 1.90.0`,
  cargo: `p=$(value path rust-toolchain.toml); [ -n "$p" ] && [ "$1" = --version ] && exec sh "$p/bin/cargo" "$@"
w=$(value rustc-wrapper .cargo/config.toml); [ -n "$w" ] && exec sh "$w"; echo cargo 1.90.0`,
  // Even a dry run fills in what the shell says.
  make: String.raw`sed -n 's/.*$(shell \(.*\))$/\1/p' Makefile 2>/dev/null | sh`,
  direnv: `. ./.envrc`,
  go: `[ "$1" = generate ] && sed -n 's|^//go:generate ||p' generate.go | sh; exit 0`,
  pytest: `run conftest.py`,
  python3: `[ -n "$PYTHONPATH" ] && run "$PYTHONPATH/sitecustomize.py"; echo Python 3.13.0`,
  // The shim of a version manager, in place of a compiler.
  gcc: `p=$(sed -n 's/^gcc path://p' .tool-versions 2>/dev/null); [ -n "$p" ] && exec sh "$p/bin/gcc" "$@"; echo gcc 14`,
};

/** Puts the programs into a folder of the person's, for the search path. */
export function writeStandIns(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(STAND_INS))
    writeFileSync(join(folder, name), `#!/bin/sh\n${VALUE}\n${PYTHON}\n${script}\n`, { mode: 0o755 });
}
