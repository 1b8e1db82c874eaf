/** Data under these names holds secrets; code and documents under them is about secrets. */
const NAMES_OF_DATA: readonly string[] = [
  ...['rsa', 'dsa', 'ecdsa', 'ed25519'].flatMap((kind) => ['', '.*', '_*', '-*'].map((rest) => `id_${kind}${rest}`)),
  'secret.*',
  'secrets.*',
  '.secret.*',
  '.secrets.*',
  '*.secret.*',
  '*.secrets.*',
  '*-secrets.*',
  '*_secrets.*',
  'credential.*',
  'credentials.*',
  '.credentials.*',
  '*-credentials.*',
  '*_credentials.*',
  'client_secret*',
  'client-secret*',
  '*service-account*.json',
  '*service_account*.json',
  '*serviceaccountkey*.json',
  '*firebase-adminsdk*.json',
  '*.tfstate.*',
  '*.tfvars.*',
  '.vault_pass*',
];

const CODE_AND_DOCUMENTS: readonly string[] =
  'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi rb go rs java kt kts scala groovy swift c h cc cpp cxx hpp m mm cs fs vb php pl pm lua r jl ex exs erl hs ml clj cljs dart zig nim sh bash zsh fish ps1 bat sql graphql proto tf css scss less html htm md mdx rst adoc pdf png jpg jpeg gif svg webp ico'.split(
    ' ',
  );

const NAMES: readonly string[] = [
  // Environments.
  '.env',
  '.env?',
  '.env.*',
  '.env-*',
  '.env_*',
  '.envrc',
  '*.env',
  // Keys.
  '*.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.pkcs12',
  '*.jks',
  '*.jceks',
  '*.keystore',
  '*.keytab',
  '*.ppk',
  '*.kdb',
  '*.kdbx',
  '*.ovpn',
  '*.agekey',
  'ssh_host_*_key',
  // Accounts at services.
  '.secret',
  '.secrets',
  'credentials',
  '.credentials',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  'pip.conf',
  'pip.ini',
  'nuget.config',
  '.sentryclirc',
  '.databrickscfg',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.htpasswd',
  '.git-credentials',
  '.dockercfg',
  '.dockerconfigjson',
  '.vault-token',
  '.s3cfg',
  '.boto',
  '.terraformrc',
  'terraform.rc',
  '*.tfstate',
  '*.tfvars',
  'kubeconfig',
  '*.kubeconfig',
  'application_default_credentials.json',
  'wp-config.php',
  'local.settings.json',
  // Ours: keys stand in the configuration, and the lock opens a running server.
  'dragoman.json',
  'dragoman.sqlite*',
  'server.lock',
  '.claude.json',
  // What was typed.
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  '.rediscli_history',
  '.mongosh_history',
  '.irb_history',
  'fish_history',
];

/** Named like secrets, and written to be read. */
const EXAMPLES: readonly string[] = [
  ...['example', 'sample', 'template'].flatMap((word) => [
    `*.${word}`,
    `*.${word}.*`,
    `${word}.env`,
    `*.${word}.env`,
    `*-${word}.*`,
  ]),
  '*.dist',
  '*.pub',
  'public.pem',
  'public.key',
  'public-key.*',
  'public_key.*',
  'publickey.*',
  '*-public.pem',
  '*_public.pem',
  '*.public.pem',
];

/** Where programs keep keys and logins below a home folder, which may be in a project as well; `/` ends a folder. */
const PLACES: readonly string[] = [
  '.ssh/',
  '.gnupg/',
  '.azure/',
  '.password-store/',
  '.aws/credentials',
  '.aws/sso/',
  '.aws/cli/cache/',
  '.kube/config',
  '.kube/cache/',
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.config/containers/auth.json',
  '.config/gh/hosts.yml',
  '.config/glab-cli/',
  '.config/gcloud/',
  '.config/rclone/rclone.conf',
  '.config/op/',
  '.config/github-copilot/',
  '.fly/config.yml',
  '.augment/session.json',
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.gemini/oauth_creds.json',
  '.local/share/keyrings/',
  '.local/share/opencode/auth.json',
  '.oci/',
  '.vault/',
];

/** Folders whose place in a home folder differs from system to system. */
const FOLDERS: readonly string[] = ['gcloud/legacy_credentials/', 'gcloud/*.db'];

/**
 * Files that are made to hold secrets, as patterns: of several that match a path the last one counts, and `!` says that the
 * file is none. Without a slash a pattern is about the name at any depth. Upper and lower case are the same. Ignore files
 * and permissions read patterns of this form as well, so this is the only list.
 *
 * A name says what a file is for and not what is in it: text is looked through besides, wherever it leaves the machine.
 */
export const SECRET_FILES: readonly string[] = [
  ...NAMES_OF_DATA,
  ...CODE_AND_DOCUMENTS.map((ending) => `!*.${ending}`),
  ...NAMES,
  ...EXAMPLES.map((pattern) => `!${pattern}`),
  ...[...PLACES, ...FOLDERS].map((place) => `**/${place.endsWith('/') ? `${place}**` : place}`),
];

/** What holds secrets in a person's home folder: files, and folders as a whole. */
export const HOME_SECRETS: readonly string[] = [
  ...PLACES.map((place) => place.replace(/\/$/, '')),
  ...NAMES.filter((name) => /^[._][^*?]*$/.test(name)),
];

/** Whether a file is made to hold secrets, as far as its path tells. */
export function isSecretFile(path: string): boolean {
  const whole = path.normalize('NFC').toLowerCase().replaceAll('\\', '/').replace(/^\/*/, '/');
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  return rules().find(({ ofName, expression }) => expression.test(ofName ? name : whole))?.isSecret ?? false;
}

interface Rule {
  isSecret: boolean;
  ofName: boolean;
  expression: RegExp;
}

let compiled: Rule[] | undefined;

/** The last one first. */
function rules(): Rule[] {
  return (compiled ??= SECRET_FILES.map(toRule).toReversed());
}

function toRule(text: string): Rule {
  const isSecret = !text.startsWith('!');
  const pattern = isSecret ? text : text.slice(1);
  const source = pattern
    .replace(/^\*\*(?=\/)/, '')
    .replaceAll(/[.+^$()|[\]{}]/g, String.raw`\$&`)
    .replaceAll(/\*\*|[*?]/g, (wild) => (wild === '**' ? '.+' : wild === '*' ? '[^/]*' : '[^/]'));
  const ofName = !pattern.includes('/');
  return { isSecret, ofName, expression: new RegExp(ofName ? `^${source}$` : `${source}$`, 's') };
}
