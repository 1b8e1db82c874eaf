/**
 * Names of files that are made to hold secrets, in lower case. The agent asks before it reads such a file, and blob sync
 * leaves them out; both have longer lists of their own, because rooms share no code. This one is for what people open by
 * a click.
 */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /\.env$/,
  /\.(pem|key|p8|p12|pfx|pkcs12|jks|jceks|keystore|ppk|kdbx?|keytab|ovpn|tfstate|tfvars)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^ssh_host_.*_key$/,
  /^[._]netrc$/,
  /^\.(npmrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg|dockerconfigjson|vault-token|terraformrc)$/,
  /^(credentials|application_default_credentials)\.json$/,
  /^client_secret.*\.json$/,
  /service[-_]?account.*\.json$/,
  /firebase-adminsdk.*\.json$/,
  /^\.(bash|zsh|python|node_repl|psql|mysql)_history$/,
];
const SECRET_FOLDERS: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.azure']);
const SECRET_PATHS: readonly RegExp[] = [
  /(^|\/)\.aws\/(credentials|sso\/.*|cli\/cache\/.*)$/,
  /(^|\/)\.kube\/(config|cache\/.*)$/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.cargo\/credentials(\.toml)?$/,
  /(^|\/)\.m2\/settings(-security)?\.xml$/,
  /(^|\/)\.config\/gh\/hosts\.yml$/,
];
/** Named like secrets, and written to be read. */
const EXAMPLES = /(\.(example|sample|template|dist|pub)|^(example|sample|template)\.env)$/;

/** Whether a file is made to hold secrets, as far as its path tells. */
export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase();
  const folders = lower.split('/');
  const name = folders.pop()!;
  if (folders.some((folder) => SECRET_FOLDERS.has(folder)) || SECRET_PATHS.some((secret) => secret.test(lower)))
    return true;
  return !EXAMPLES.test(name) && SECRET_NAMES.some((secret) => secret.test(name));
}
