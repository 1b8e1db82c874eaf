export type Language =
  | 'bash'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'dart'
  | 'elixir'
  | 'fish'
  | 'go'
  | 'haskell'
  | 'java'
  | 'kotlin'
  | 'lua'
  | 'markdown'
  | 'objective-c'
  | 'php'
  | 'protobuf'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'scala'
  | 'sql'
  | 'swift'
  | 'typescript'
  | 'vue'
  | 'zig';

const EXTENSIONS: Record<Language, string> = {
  bash: 'sh bash zsh ksh bats',
  c: 'c h',
  cpp: 'cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc cu cuh ino',
  csharp: 'cs csx',
  dart: 'dart',
  elixir: 'ex exs',
  fish: 'fish',
  go: 'go',
  haskell: 'hs hsc lhs',
  java: 'java groovy gradle',
  kotlin: 'kt kts',
  lua: 'lua',
  markdown: 'md markdown mdx mkd rst adoc',
  'objective-c': 'm mm',
  php: 'php phtml php5',
  protobuf: 'proto',
  python: 'py pyi pyw pyx pxd',
  ruby: 'rb rake gemspec ru podspec',
  rust: 'rs',
  scala: 'scala sc sbt',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts tsx js jsx mjs cjs mts cts es6',
  vue: 'vue svelte astro',
  zig: 'zig',
};

const BY_EXTENSION = new Map<string, Language>();
for (const [language, extensions] of Object.entries(EXTENSIONS))
  for (const extension of extensions.split(' ')) BY_EXTENSION.set(extension, language as Language);

const BY_NAME = new Map<string, Language>([
  ['Rakefile', 'ruby'],
  ['Gemfile', 'ruby'],
  ['Podfile', 'ruby'],
  ['Vagrantfile', 'ruby'],
  ['Fastfile', 'ruby'],
  ['Guardfile', 'ruby'],
  ['Jenkinsfile', 'java'],
  ['SConstruct', 'python'],
  ['SConscript', 'python'],
  ['.bashrc', 'bash'],
  ['.bash_profile', 'bash'],
  ['.zshrc', 'bash'],
  ['.profile', 'bash'],
  ['PKGBUILD', 'bash'],
]);

const INTERPRETERS: readonly [RegExp, Language][] = [
  [/\b(?:bash|sh|zsh|ksh|dash|bats)\b/, 'bash'],
  [/\bpython/, 'python'],
  [/\bruby/, 'ruby'],
  [/\b(?:node|deno|bun|tsx|ts-node)\b/, 'typescript'],
  [/\bphp/, 'php'],
  [/\blua/, 'lua'],
  [/\belixir/, 'elixir'],
];

/** By the file's name; where that says nothing, by the interpreter its first line names. */
export function languageOf(path: string, firstLine?: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  // Included files are named alike in C and in PHP.
  if (name.endsWith('.inc')) return firstLine?.startsWith('<?') ? 'php' : 'cpp';
  if (dot > 0) {
    const language = BY_EXTENSION.get(name.slice(dot + 1).toLowerCase());
    if (language !== undefined) return language;
  }
  if (firstLine?.startsWith('#!')) {
    const line = firstLine.slice(0, 200);
    return INTERPRETERS.find(([pattern]) => pattern.test(line))?.[1];
  }
  return undefined;
}
