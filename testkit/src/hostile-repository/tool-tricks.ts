import type { Trick } from './trick.ts';

/** A folder of the repository with settings for one tool, and the command that reads them. */
function inFolder(
  name: string,
  tries: string,
  files: (program: string) => Readonly<Record<string, string>>,
  command: string,
  program?: string,
): Trick {
  return {
    name,
    tries,
    repository: 'a clone',
    write(place) {
      const path = place.program(`each/${name}/${program ?? 'run.sh'}`);
      const own = files(`./${path.slice(`each/${name}/`.length)}`);
      place.write(Object.fromEntries(Object.entries(own).map(([file, text]) => [`each/${name}/${file}`, text])));
    },
    line: () => `cd each/${name} && ${command}`,
    calls: () => [['bash', { command, workdir: `each/${name}` }]],
  };
}

/** What other tools read from a project to decide what they run. */
export const TOOL_TRICKS: readonly Trick[] = [
  {
    ...inFolder('yarn-path', '.yarnrc names the yarn that runs', () => ({}), ''),
    write: (place) => place.write({ '.yarnrc': `yarn-path "./${place.program()}"\n` }),
    line: () => 'yarn --version',
    calls: () => [
      ['bash', { command: 'yarn -v' }],
      ['bash', { command: 'yarn why left-pad' }],
    ],
  },
  inFolder(
    'yarn-yml',
    '.yarnrc.yml names the yarn that runs',
    (run) => ({ '.yarnrc.yml': `yarnPath: ${run}\n` }),
    'yarn --version',
  ),
  inFolder(
    'package-manager',
    'package.json names the package manager that runs',
    (run) => ({ 'package.json': `{ "packageManager": "pnpm@file:${run}" }\n` }),
    'pnpm --version',
  ),
  inFolder(
    'pnpm-file',
    '.pnpmfile.cjs runs before anything is installed',
    (run) => ({ '.pnpmfile.cjs': `require('node:child_process').execFileSync('${run}');\n` }),
    'pnpm install',
  ),
  inFolder(
    'script-shell',
    '.npmrc names the shell for scripts',
    (run) => ({ '.npmrc': `script-shell=${run}\n`, 'package.json': '{ "scripts": { "test": "true" } }\n' }),
    'npm test',
  ),
  inFolder(
    'node-options',
    '.npmrc hands options to every node',
    (run) => ({
      '.npmrc': 'node-options=--require=./load.cjs\n',
      'load.cjs': `require('node:child_process').execFileSync('${run}');\n`,
    }),
    'npm run build',
  ),
  inFolder(
    'install-script',
    'a script runs when packages are installed',
    (run) => ({ 'package.json': `{\n"scripts": { "preinstall": "${run}" } }\n` }),
    'npm install',
  ),
  inFolder(
    'package-program',
    'npx runs a program that the repository brings',
    () => ({}),
    'npx cowsay',
    'node_modules/.bin/cowsay',
  ),
  inFolder(
    'rust-toolchain',
    'rust-toolchain.toml names the compiler that runs',
    () => ({ 'rust-toolchain.toml': '[toolchain]\npath = "./chain"\n' }),
    'rustc --version',
    'chain/bin/rustc',
  ),
  inFolder(
    'cargo-toolchain',
    'rust-toolchain.toml names the cargo that runs',
    () => ({ 'rust-toolchain.toml': '[toolchain]\npath = "./chain"\n' }),
    'cargo --version',
    'chain/bin/cargo',
  ),
  inFolder(
    'cargo-wrapper',
    'the settings of cargo wrap the compiler',
    (run) => ({ '.cargo/config.toml': `[build]\nrustc-wrapper = "${run}"\n` }),
    'cargo check',
  ),
  inFolder(
    'makefile',
    'a Makefile runs commands even when it only looks',
    (run) => ({ Makefile: `X := $(shell ${run})\n` }),
    'make -n',
  ),
  inFolder('envrc', 'direnv runs .envrc', (run) => ({ '.envrc': `${run}\n` }), 'direnv exec . true'),
  inFolder(
    'go-generate',
    'go runs what comments say',
    (run) => ({ 'generate.go': `//go:generate ${run}\npackage main\n` }),
    'go generate',
  ),
  inFolder(
    'conftest',
    'pytest loads conftest.py',
    (run) => ({ 'conftest.py': `import os; os.system("${run}")\n` }),
    'pytest',
  ),
  inFolder(
    'site-customize',
    'python loads sitecustomize.py from its path',
    (run) => ({ 'sitecustomize.py': `import os; os.system("${run}")\n` }),
    'PYTHONPATH=. python3 --version',
  ),
  inFolder(
    'version-manager',
    '.tool-versions names the folder of a compiler',
    () => ({ '.tool-versions': 'gcc path:./chain\n' }),
    'gcc --version',
    'chain/bin/gcc',
  ),
  {
    name: 'mcp-program',
    tries: 'npx finds in the repository what the person has for an MCP server',
    repository: 'a clone with programs in the search path',
    write: (place) => void place.program('node_modules/.bin/some-server'),
    line: () => 'npx -y some-server',
  },
  {
    name: 'git-in-the-path',
    tries: 'a program of the repository is found in place of git, because its folder is in the search path',
    repository: 'a clone with programs in the search path',
    write: (place) => void place.program('node_modules/.bin/git'),
    line: () => 'git status',
    calls: () => [
      ['bash', { command: 'git diff' }],
      ['bash', { command: 'git --version' }],
    ],
  },
  {
    name: 'ls-in-the-path',
    tries: 'a program of the repository is found in place of ls',
    repository: 'a clone with programs in the search path',
    write(place) {
      for (const name of ['ls', 'rg', 'sh', 'bash', 'node', 'bwrap', 'id', 'uname', 'ssh', 'which'])
        place.program(`node_modules/.bin/${name}`);
    },
    line: () => 'ls',
    calls: () => [
      ['bash', { command: 'ls -la' }],
      ['bash', { command: 'id' }],
      ['bash', { command: 'uname -a' }],
      ['bash', { command: 'which node' }],
      ['bash', { command: 'node --version' }],
      ['grep', { pattern: 'answer' }],
      ['glob', { pattern: '**/*.ts' }],
    ],
  },
];
