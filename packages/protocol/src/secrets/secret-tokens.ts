import { isSecretInAddress, isSecretInHeader, isSecretKey } from './looks-secret.ts';
import type { SecretKind } from './secret-kind.ts';

/** What ends as a letter and is none: a line break that is written as an escape, `%3D`, `\u0027`, a colour of a terminal. */
const AFTER_ESCAPE = String.raw`(?<=\\[nrt]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\[[\d;]{0,12}m)`;
/** Where a word starts. */
const START = String.raw`(?:(?<![A-Za-z0-9_])|${AFTER_ESCAPE})`;
/** The same for words with hyphens. A pattern that could start anywhere inside a long word would read it over and over. */
const HYPHENATED_START = String.raw`(?:(?<![A-Za-z0-9_-])|${AFTER_ESCAPE})`;

/** Behind a hint: the longest token, and that of three such parts. */
const TOKEN_REACH = 8_400;
const JWT_REACH = 25_000;
/** Where a name and an address stand around it. */
const ADDRESS_REACH = 2_400;

const TOKEN = '[TOKEN_REDACTED]';

/** How tokens begin that are known by that, several apart by `|`, and what follows it. */
const PREFIXED: Readonly<Record<string, readonly (readonly [prefixes: string, rest: string])[]>> = {
  '[API_KEY_REDACTED]': [
    ['sk-proj-|sk-svcacct-|sk-admin-|sk-None-|sk-ant-|sk-or-', '[A-Za-z0-9_-]{20,8192}'],
    // Models: Hugging Face, Groq, Replicate, Jina, Fireworks; xAI, Perplexity, Tavily, NVIDIA; Bedrock, Cerebras.
    ['hf_|gsk_|r8_|jina_|fw_', '[A-Za-z0-9]{20,200}'],
    ['xai-|pplx-|tvly-|nvapi-', '(?:dev-|prod-)?[A-Za-z0-9_-]{20,200}'],
    ['ABSK', '[A-Za-z0-9+/]{60,300}={0,2}'],
    ['bedrock-api-key-', '[A-Za-z0-9+/=_-]{40,8192}'],
    ['csk-', '[a-z0-9]{32,80}'],
    // Pages and machines for models: Firecrawl, E2B.
    ['fc-', '[0-9a-f]{32}(?![0-9a-f])'],
    ['e2b_', '[0-9a-f]{40}'],
    // Mail: SendGrid, Mailgun, Resend, Brevo.
    ['SG.', String.raw`[\w-]{16,32}\.[\w-]{32,64}`],
    ['key-', '[0-9a-f]{32}(?![0-9a-f])'],
    ['re_', String.raw`(?=\w{0,32}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}(?![A-Za-z0-9_])`],
    ['xkeysib-|xsmtpsib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ],
  '[AWS_KEY_REDACTED]': [['AKIA|ASIA', '[A-Z0-9]{16}(?![A-Za-z0-9])']],
  '[GOOGLE_KEY_REDACTED]': [
    ['AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'],
    ['ya29.', String.raw`(?:[a-z]\.)?[\w-]{20,8192}`],
    ['GOCSPX-', String.raw`[\w-]{20,8192}`],
    ['1//0', String.raw`[\w-]{40,200}`],
  ],
  '[GITHUB_TOKEN_REDACTED]': [
    ['ghp_|gho_|ghu_|ghs_|ghr_', '[A-Za-z0-9]{36,8192}'],
    ['github_pat_', '[A-Za-z0-9_]{22,8192}'],
  ],
  '[GITLAB_TOKEN_REDACTED]': [
    [
      'glpat-|gldt-|glrt-|glptt-|glcbt-|glsoat-|glft-|glagent-|gloas-|glimt-|glffct-',
      // Newer ones have two short parts after dots.
      String.raw`[A-Za-z0-9_-]{20,8192}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?`,
    ],
  ],
  '[SLACK_TOKEN_REDACTED]': [
    ['xox', '[a-z]-[A-Za-z0-9-]{10,8192}'],
    ['xapp-', '[A-Za-z0-9-]{10,8192}'],
  ],
  '[STRIPE_KEY_REDACTED]': [
    ['sk_live_|sk_test_|rk_live_|rk_test_', '[A-Za-z0-9]{16,8192}'],
    ['whsec_', '[A-Za-z0-9+/=]{24,8192}'],
  ],
  '[NPM_TOKEN_REDACTED]': [['npm_', '[A-Za-z0-9]{36,8192}']],
  '[DRAGOMAN_TOKEN_REDACTED]': [['DGM_', '[A-Z2-7]{40}']],
  [TOKEN]: [
    // Places where programs run: DigitalOcean, Heroku, Netlify, Supabase, PlanetScale, Databricks, Doppler, Vault, Fly, Pulumi, Alibaba.
    ['doo_v1_|dop_v1_|dor_v1_', '[0-9a-f]{64}'],
    ['HRKU-', String.raw`[\w-]{36,80}`],
    ['nfp_', '[A-Za-z0-9]{36,60}'],
    ['sbp_', '[0-9a-f]{40}'],
    ['sb_secret_', String.raw`[\w-]{20,80}`],
    ['pscale_tkn_|pscale_pw_|pscale_oauth_', String.raw`[\w.-]{32,80}`],
    ['dapi', String.raw`[0-9a-f]{32}(?:-\d)?`],
    ['dp.st.|dp.pt.|dp.ct.|dp.sa.', String.raw`[\w.-]{40,80}`],
    ['hvs.|hvb.', String.raw`[\w-]{24,300}`],
    ['FlyV1 fm', String.raw`\d[a-z]?_[A-Za-z0-9+/=,_]{40,8192}`],
    ['pul-', '[0-9a-f]{40}'],
    ['LTAI', '(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{12,26}(?![A-Za-z0-9])'],
    // Packages and their registries: PyPI, RubyGems, Docker Hub, JFrog.
    ['pypi-AgEI|pypi-AgEN', '[A-Za-z0-9_-]{50,1000}'],
    ['rubygems_', '[0-9a-f]{48}'],
    ['dckr_pat_|dckr_oat_', '[A-Za-z0-9_-]{20,60}'],
    ['AKCp', '[A-Za-z0-9]{50,100}'],
    // Tools of teams: Linear, Notion, Figma, Postman, Atlassian, Sentry, Grafana, New Relic, Shopify, SonarQube, 1Password.
    ['lin_api_|lin_oauth_', '[A-Za-z0-9]{32,80}'],
    ['ntn_', '[A-Za-z0-9]{40,60}'],
    ['secret_', '(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{43}(?![A-Za-z0-9_])'],
    ['figd_', '[A-Za-z0-9_-]{36,60}'],
    ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
    ['ATATT3x|ATCTT3x', '[A-Za-z0-9_=-]{60,400}'],
    ['ATBB', '[A-Za-z0-9]{32}'],
    ['sntrys_', '[A-Za-z0-9+/=_]{40,400}'],
    ['sntryu_', '[0-9a-f]{64}'],
    ['glsa_', '[A-Za-z0-9]{32}_[0-9a-f]{8}'],
    ['glc_', '[A-Za-z0-9+/=]{40,400}'],
    ['NRAK-', '[A-Z0-9]{27}'],
    ['shpat_|shpca_|shppa_|shpss_', '[0-9a-f]{32}'],
    ['sqp_|squ_|sqa_', '[0-9a-f]{40}'],
    ['ops_eyJ', '[A-Za-z0-9_=-]{60,8192}'],
    // Payments and calls: Square, Twilio. Networks: Tailscale. Search and traces: Pinecone, LangSmith. Content: Contentful.
    ['sq0atp-|sq0csp-|sq0idp-', '[A-Za-z0-9_-]{22,50}'],
    ['SK', '[0-9a-f]{32}(?![0-9a-f])'],
    ['tskey-', '[a-z]{1,20}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,60}'],
    ['pcsk_', '[A-Za-z0-9_]{40,100}'],
    ['lsv2_pt_|lsv2_sk_', '[0-9a-f]{32}_[0-9a-f]{10}'],
    ['CFPAT-', '[A-Za-z0-9_-]{40,60}'],
    // Builds: CircleCI, Buildkite. Customers: HubSpot. Files: age.
    ['CCIPAT_', '[A-Za-z0-9_]{40,100}'],
    ['bkua_', '[0-9a-f]{40}'],
    ['pat-na|pat-eu', String.raw`\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`],
    ['AGE-SECRET-KEY-1', '[A-Z0-9]{58}'],
  ],
};

const literally = (text: string) => text.replaceAll('.', String.raw`\.`);

/** How the tokens of well-known services begin. */
export const TOKEN_PREFIXES: readonly string[] = Object.values(PREFIXED).flatMap((rows) =>
  rows.flatMap(([prefixes]) => prefixes.split('|')),
);

const PREFIXED_KINDS = Object.entries(PREFIXED).map(([mark, rows]): SecretKind => {
  const sources = rows.map(([prefixes, rest]) => `(?:${literally(prefixes)})${rest}`);
  return {
    hints: rows.flatMap(([prefixes]) => prefixes.split('|')),
    pattern: new RegExp(`${START}(?:${sources.join('|')})`, 'g'),
    reach: TOKEN_REACH,
    mark,
  };
});

/** The end of an address that lets whoever knows it write to others. */
const hook = (hint: string, source: string, mark = TOKEN): SecretKind => ({
  hints: [hint],
  pattern: new RegExp(source, 'dg'),
  reach: ADDRESS_REACH,
  mark,
});

/** What is known by its look or by its place, in whatever text it stands. */
export const SECRET_TOKENS: readonly SecretKind[] = [
  ...PREFIXED_KINDS,
  // Of these alone the clients of the protocol expect that they are found inside of words, too.
  { hints: ['sk-'], pattern: /sk-[A-Za-z0-9]{20,8192}/g, reach: TOKEN_REACH, mark: '[API_KEY_REDACTED]' },
  {
    hints: ['ecret', 'ECRET'],
    pattern:
      /(?:aws[_-]?secret[_-]?(?:access[_-]?)?key|secret[_-]?access[_-]?key)\\?["']?[^\S\n]{0,8}[:=][^\S\n]{0,8}\\?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    reach: ADDRESS_REACH,
    mark: '[AWS_SECRET_REDACTED]',
  },
  hook(
    'hooks.slack.com',
    String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>T\w{6,16}\/[A-Z]?\w{6,20}\/[\w/]{16,80})`,
    '[SLACK_TOKEN_REDACTED]',
  ),
  hook(
    '/webhooks/',
    String.raw`discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,22}\/(?<secret>[\w-]{40,100})`,
  ),
  hook(
    '/bot/',
    String.raw`(?:feishu\.cn|larksuite\.com|larkoffice\.com)\/open-apis\/bot\/(?:v\d\/)?hook\/(?<secret>[\w-]{20,80})`,
  ),
  hook(
    'webhook.office.com',
    String.raw`webhook\.office\.com\/webhookb2\/(?<secret>[\w@-]{36,80}\/IncomingWebhook\/[\w-]{20,80}\/[\w/-]{20,160})`,
  ),
  {
    hints: [':AA'],
    pattern: new RegExp(String.raw`(?:${START}|(?<=\/bot))[0-9]{8,12}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])`, 'g'),
    reach: TOKEN_REACH,
    mark: '[TELEGRAM_TOKEN_REDACTED]',
  },
  // Mailchimp, Terraform, Discord: known by what stands in the middle or at the end.
  {
    hints: ['-us'],
    pattern: new RegExp(String.raw`${START}[0-9a-f]{32}-us\d{1,2}(?!\d)`, 'g'),
    reach: 100,
    mark: '[API_KEY_REDACTED]',
  },
  {
    hints: ['.atlasv1.'],
    pattern: new RegExp(String.raw`${START}[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}`, 'g'),
    reach: 200,
    mark: TOKEN,
  },
  {
    hints: ['.G', '.X', '.Y', '.Z'],
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[GXYZ][A-Za-z0-9_-]{5}\.[A-Za-z0-9_-]{27,40}(?![\w-])/g,
    reach: 100,
    mark: TOKEN,
  },
  {
    hints: ['Q~'],
    pattern: new RegExp(String.raw`${START}[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])`, 'g'),
    reach: 100,
    mark: '[AZURE_SECRET_REDACTED]',
  },
  {
    hints: ['ccountKey=', 'ccessKey='],
    pattern: /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{20,512}={0,2})/dg,
    reach: ADDRESS_REACH,
    mark: '[SECRET_REDACTED]',
  },
  {
    hints:
      'ey= EY= oken= OKEN= ecret= ECRET= ode= ODE= assw Assw ASSW sig= Sig= SIG= ignature= IGNATURE= auth= AUTH='.split(
        ' ',
      ),
    // A key in the query of an address, or behind its `#`.
    pattern:
      /(?:[?&#]|&amp;|\\u0026|%26|%3F)(?:(?:api|access|subscription|function|auth|x)?[_-]?(?:key|token|code)|[\w-]{0,30}(?:api[_-]?key|(?:access|refresh|security|session|auth|id)[_-]?token|secret|passw(?:or)?d|signature)|sig|auth)=(?<secret>[^\s&#"'\x60<>(){}\\[\]]{8,2048})/dgi,
    reach: ADDRESS_REACH,
    mark: '[SECRET_REDACTED]',
    isSecret: isSecretKey,
  },
  {
    hints: ['://'],
    // The password of an address, up to the last sign before the host.
    pattern: /:\/\/[^\s/:@'"\\]{0,64}:(?<secret>[^\s/?#'"\\\x60<>@][^\s/?#'"\\\x60<>]{2,127})(?=@(?!sha256:))/dg,
    reach: ADDRESS_REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['://'],
    // Some write a slash in it, which may also begin a path behind a port.
    pattern:
      /:\/\/[^\s/:@'"\\]{0,64}:(?!\d{1,5}[/?#])(?<secret>[^\s@?#'"\\\x60<>]{3,128})(?=@[\w.-]{1,100}(?:[:/?\s"'\x60]|$))/dg,
    reach: ADDRESS_REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['://'],
    // A token in place of a name.
    pattern: /:\/\/(?<secret>[\w.~+-]{20,256})(?=(?::[^\s/@'"\\]{0,64})?@)/dg,
    reach: ADDRESS_REACH,
    mark: TOKEN,
    isSecret: isSecretKey,
  },
  {
    hints: ['uthorization', 'UTHORIZATION'],
    pattern:
      /authorization\\{0,3}["']?\]?[^\S\n]{0,4}[:=,][^\S\n]{0,4}\\{0,3}["'\x60]?(?:bearer|basic|token|api-?key|key|bot|digest|negotiate|jwt|sso-key|genie-?key|splunk) (?<secret>[A-Za-z0-9._~+/-]{8,8192}={0,2})/dgi,
    isSecret: isSecretInHeader,
    reach: TOKEN_REACH,
    mark: TOKEN,
  },
  {
    hints: ['uthorization', 'UTHORIZATION'],
    // Without a word before it.
    pattern:
      /authorization\\{0,3}["']?\]?[^\S\n]{0,4}[:=,][^\S\n]{0,4}\\{0,3}["'\x60]?(?<secret>[A-Za-z0-9._~+/-]{20,8192}={0,2})/dgi,
    isSecret: isSecretKey,
    reach: TOKEN_REACH,
    mark: TOKEN,
  },
  {
    hints: ['eyJ'],
    pattern: new RegExp(
      String.raw`${HYPHENATED_START}eyJ[A-Za-z0-9_-]{10,8192}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,8192}`,
      'g',
    ),
    reach: JWT_REACH,
    mark: '[JWT_REDACTED]',
  },
];
