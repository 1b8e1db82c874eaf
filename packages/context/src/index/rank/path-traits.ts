/** What a path alone says about how likely its file is the place someone looks for. */
export interface PathTraits {
  isTest: boolean;
  isExample: boolean;
  isDocument: boolean;
  isBenchmark: boolean;
  isForeign: boolean;
  isGenerated: boolean;
  isData: boolean;
  isCode: boolean;
  isHeader: boolean;
  isTypesOnly: boolean;
  /** `index.ts`, `mod.rs`, `__init__.py`: mostly a list of what others define. */
  isEntry: boolean;
  isInternal: boolean;
  isLegacy: boolean;
  isScript: boolean;
  /** Says what others do: contracts, interfaces, facades, stubs. */
  isContract: boolean;
  /** For one system among several. */
  isPlatform: boolean;
  /** Only the folder says what is in it. */
  isGeneric: boolean;
  /** The number in a folder such as `v2`, and what stands before it; newer ones stand beside it. */
  version: number;
  versionOf: string;
  depth: number;
  stem: string;
  extension: string;
}

const CODE_EXTENSIONS = new Set(
  `ts tsx mts cts js jsx mjs cjs vue svelte py pyi go rs java kt kts c h cc cpp cxx hpp hh hxx inl ipp m mm cs fs vb rb php
  swift scala sc lua ex exs erl hrl sh bash zsh fish bats pl pm r jl hs lhs elm clj cljs ml mli zig nim d dart groovy sql
  proto graphql vim el lisp scm ps1 tcl cmake gradle asm s cu cuh v sv vhd pas pp f90 f for tf sol`.split(/\s+/),
);
const DOCUMENT_EXTENSIONS = new Set('md mdx rst txt adoc html htm tex pod org'.split(' '));
const HEADER_EXTENSIONS = new Set('h hh hpp hxx inl'.split(' '));
const ENTRY_STEMS = new Set('index mod __init__ lib main init package-info'.split(' '));

const TEST_FOLDER =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|testdata|test[-_]?data|fixtures?|__mocks__|mocks?|e2e|[\w-]*[-_.]tests?|tests?[-_][\w-]*|[\w.]*\.?Tests?|[a-z]+Test)\//;
const TEST_NAME =
  /(?:^|[/.-])(?:tests?|specs?|mocks?|e2e)[._-](?![^/]*\.(?:ba|z)?sh$)[^/]*$|[._-](?:tests?|specs?|mocks?|e2e|unittest)\.\w+$|[a-z0-9](?:Tests?|Spec|TestCase|Mock)\.\w+$|(?:^|\/)test_[^/]*\.(?!(?:ba|z)?sh$)\w+$|(?:^|\/)conftest\.\w+$|\.bats$/;
const EXAMPLE =
  /(?:^|\/)(?:examples?|samples?|demos?|tutorials?|playground|sandbox|docs_src|[\w.-]*[-_.]?(?:examples?|samples?|demo|playground)|cookbook|recipes|templates?|snippets)\//i;
const DOCUMENT = /(?:^|\/)(?:docs?|documentation|website|wiki|man|site|changelogs?|api-docs)\//i;
const BENCHMARK =
  /(?:^|\/)(?:bench(?:es|mark|marks)?|perf|performance|[\w.-]*bench(?:mark)?s?)\/|(?:^|[/._-])bench(?:mark)?s?[._-]|[a-z]Bench(?:mark)?s?\.\w+$/i;
const FOREIGN = /(?:^|\/)(?:vendor|third[-_]?party|external|node_modules|deps|extern|thirdparty|bundled|_vendor)\//i;
const GENERATED =
  /(?:^|[/._-])(?:generated|autogen|gen)(?:[/._-]|$)|\.(?:pb|g|gen|designer)\.\w+$|_pb2\.pyi?$|zz_generated|\.min\.\w+$|(?:^|\/)(?:dist|build|out)\//i;
const INTERNAL = /(?:^|\/)(?:_?internals?|_[a-z][\w-]*|private|detail|details|impl)(?:\/|\.\w+$)/;
const LEGACY = /(?:^|[/._-])(?:legacy|deprecated|compat|old|v[0-3]|polyfills?|migrations?)(?:[/._-]|$)/i;
const SCRIPT = /(?:^|\/)(?:scripts?|tools?|ci|\.github|hack|build|cmake|maintainers?|packaging|release|benchmarks?)\//i;

const CONTRACT = /(?:^|\/)(?:contracts?|interfaces?|facades?|abstractions?|stubs?|typings)(?:\/|\.\w+$)/i;
const PLATFORM =
  /(?:^|[/._-])(?:win|win32|win64|windows|winrt|uwp|darwin|macos|osx|ios|android|wasm|wasi|freebsd|openbsd|netbsd|sunos|solaris|aix|os2|os390|os400|ibmi|haiku|cygwin|mingw|msvc|amigaos|dos)(?:[/._-])/i;
const VERSION = /^(.*?(?:^|\/))v(\d+)(?:\/|[a-z]\w*\/)/;

/** Names that say nothing of what is in the file; the folder says it. */
export const GENERIC_STEMS: ReadonlySet<string> = new Set(
  `index mod __init__ init lib main util utils helper helpers common base core types type models model constants consts misc
  impl internal shared api interface interfaces defs config`.split(/\s+/),
);

export function pathTraits(path: string): PathTraits {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const version = VERSION.exec(path);
  const isCode = CODE_EXTENSIONS.has(extension);
  const isDocument =
    DOCUMENT_EXTENSIONS.has(extension) || /^(?:README|CHANGELOG|CHANGES|LICENSE|HISTORY|NEWS|AUTHORS)/.test(name);
  return {
    isTest: TEST_FOLDER.test(path) || TEST_NAME.test(path),
    isExample: EXAMPLE.test(path),
    isDocument: isDocument || (DOCUMENT.test(path) && !isCode),
    isBenchmark: BENCHMARK.test(path),
    isForeign: FOREIGN.test(path),
    isGenerated: GENERATED.test(path),
    isData: !isCode && !isDocument,
    isCode,
    isHeader: HEADER_EXTENSIONS.has(extension),
    isTypesOnly: name.endsWith('.d.ts') || extension === 'pyi' || extension === 'mli',
    isEntry: ENTRY_STEMS.has(stem),
    isInternal: INTERNAL.test(path),
    isLegacy: LEGACY.test(path),
    isScript: SCRIPT.test(path),
    isContract: CONTRACT.test(path),
    isPlatform: PLATFORM.test(path),
    isGeneric: GENERIC_STEMS.has(stem.toLowerCase()),
    version: version === null ? -1 : Number(version[2]),
    versionOf: version?.[1] ?? '',
    depth: path.split('/').length - 1,
    stem,
    extension,
  };
}
