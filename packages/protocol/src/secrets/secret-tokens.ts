import { isSecretInAddress, isSecretInHeader, isSecretKey } from './looks-secret.ts';
import type { SecretKind } from './secret-kind.ts';

/** Where a word starts, also after a line break or tab that stands in the text as an escape, as in JSON. */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))`;
/** The same for words with hyphens. A pattern that could start anywhere inside a long word would read it over and over. */
const HYPHENATED_START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

/** Behind a hint: the longest token, and that of three such parts. */
const TOKEN_REACH = 8_400;
const JWT_REACH = 25_000;
/** Where a name and an address stand around it. */
const ADDRESS_REACH = 2_400;

function word(hints: string, source: string, mark: string): SecretKind {
  return { hints: hints.split(' '), pattern: new RegExp(`${START}(?:${source})`, 'g'), reach: TOKEN_REACH, mark };
}

const API_KEY = '[API_KEY_REDACTED]';
const TOKEN = '[TOKEN_REDACTED]';

/** What is known by its look or by its place, in whatever text it stands. */
export const SECRET_TOKENS: readonly SecretKind[] = [
  word('sk-', 'sk-(?:proj|svcacct|admin|None|ant|or)-[A-Za-z0-9_-]{20,8192}', API_KEY),
  // Of these alone the clients of the protocol expect that they are found inside of words, too.
  { hints: ['sk-'], pattern: /sk-[A-Za-z0-9]{20,8192}/g, reach: TOKEN_REACH, mark: API_KEY },
  word('AKIA ASIA', 'A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])', '[AWS_KEY_REDACTED]'),
  {
    hints: ['ecret', 'ECRET'],
    pattern:
      /(?:aws[_-]?secret[_-]?(?:access[_-]?)?key|secret[_-]?access[_-]?key)\\?["']?[^\S\n]{0,8}[:=][^\S\n]{0,8}\\?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    reach: ADDRESS_REACH,
    mark: '[AWS_SECRET_REDACTED]',
  },
  word('AIza', 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])', '[GOOGLE_KEY_REDACTED]'),
  word('ya29. GOCSPX-', String.raw`ya29\.[\w-]{20,8192}|GOCSPX-[\w-]{20,8192}`, '[GOOGLE_KEY_REDACTED]'),
  word(
    'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_',
    'gh[pousr]_[A-Za-z0-9]{36,8192}|github_pat_[A-Za-z0-9_]{22,8192}',
    '[GITHUB_TOKEN_REDACTED]',
  ),
  word(
    'glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glagent- gloas-',
    // Newer ones have two short parts after dots.
    String.raw`gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|oas)-[A-Za-z0-9_-]{20,8192}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?`,
    '[GITLAB_TOKEN_REDACTED]',
  ),
  word('xox xapp-', '(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,8192}', '[SLACK_TOKEN_REDACTED]'),
  {
    hints: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>T\w{6,16}\/[A-Z]?\w{6,20}\/[\w/]{16,80})/dg,
    reach: ADDRESS_REACH,
    mark: '[SLACK_TOKEN_REDACTED]',
  },
  {
    hints: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[\w-]{40,100})/dg,
    reach: ADDRESS_REACH,
    mark: TOKEN,
  },
  word(
    'k_live_ k_test_ whsec_',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{16,8192}|whsec_[A-Za-z0-9+/=]{24,8192}',
    '[STRIPE_KEY_REDACTED]',
  ),
  word('npm_', 'npm_[A-Za-z0-9]{36,8192}', '[NPM_TOKEN_REDACTED]'),
  word('DGM_', 'DGM_[A-Z2-7]{40}', '[DRAGOMAN_TOKEN_REDACTED]'),
  word(':AA', '[0-9]{8,12}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])', '[TELEGRAM_TOKEN_REDACTED]'),
  // Models: Hugging Face, Groq, xAI, Perplexity, Replicate, Tavily, Jina, NVIDIA, Fireworks.
  word('hf_ gsk_ r8_ jina_ fw_', '(?:hf|gsk|r8|jina|fw)_[A-Za-z0-9]{20,200}', API_KEY),
  word('xai- pplx- tvly- nvapi-', '(?:xai|pplx|tvly|nvapi)-(?:dev-|prod-)?[A-Za-z0-9_-]{20,200}', API_KEY),
  // Mail: SendGrid, Mailgun, Mailchimp.
  word('SG.', String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`, API_KEY),
  word('key- -us', String.raw`key-[0-9a-f]{32}(?![0-9a-f])|[0-9a-f]{32}-us\d{1,2}(?!\d)`, API_KEY),
  // Places where programs run: DigitalOcean, Heroku, Fly, Netlify, Supabase, PlanetScale, Databricks, Doppler, Vault, Terraform.
  word('doo_v1_ dop_v1_ dor_v1_', 'do[opr]_v1_[0-9a-f]{64}', TOKEN),
  word(
    'HRKU- nfp_ sbp_ pscale_',
    String.raw`HRKU-[\w-]{36,80}|nfp_[A-Za-z0-9]{36,60}|sbp_[0-9a-f]{40}|pscale_(?:tkn|pw|oauth)_[\w.-]{32,80}`,
    TOKEN,
  ),
  word(
    'dapi dp. hvs. hvb. .atlasv1.',
    String.raw`dapi[0-9a-f]{32}(?:-\d)?|dp\.(?:st|pt|ct|sa)\.[\w.-]{40,80}|hv[sb]\.[\w-]{24,300}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}`,
    TOKEN,
  ),
  word('FlyV1', String.raw`FlyV1 fm\d[a-z]?_[A-Za-z0-9+/=,_]{40,8192}`, TOKEN),
  // Packages and their registries: PyPI, RubyGems, Docker Hub.
  word(
    'pypi-AgEI rubygems_ dckr_',
    'pypi-AgEI[A-Za-z0-9_-]{50,1000}|rubygems_[0-9a-f]{48}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}',
    TOKEN,
  ),
  // Tools of teams: Linear, Notion, Figma, Postman, Atlassian, Sentry, Grafana, New Relic, Shopify.
  word(
    'lin_api_ ntn_ figd_ PMAK-',
    'lin_api_[A-Za-z0-9]{32,60}|ntn_[A-Za-z0-9]{40,60}|figd_[A-Za-z0-9_-]{36,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
    TOKEN,
  ),
  word(
    'ATATT3x ATCTT3x sntrys_ sntryu_',
    'AT[AC]TT3x[A-Za-z0-9_=-]{60,400}|sntrys_[A-Za-z0-9+/=_]{40,400}|sntryu_[0-9a-f]{64}',
    TOKEN,
  ),
  word(
    'glsa_ glc_ NRAK- shp',
    'glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{40,400}|NRAK-[A-Z0-9]{27}|shp(?:at|ca|pa|ss)_[0-9a-f]{32}',
    TOKEN,
  ),
  // Payments and calls: Square, Twilio. Chats: Discord. Networks: Tailscale, Cloudflare. Search and traces: Pinecone, LangSmith.
  word('sq0 SK', 'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,50}|SK[0-9a-f]{32}(?![0-9a-f])', TOKEN),
  {
    hints: ['.G', '.X', '.Y', '.Z'],
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[GXYZ][A-Za-z0-9_-]{5}\.[A-Za-z0-9_-]{27,40}(?![\w-])/g,
    reach: 100,
    mark: TOKEN,
  },
  word(
    'tskey- pcsk_ lsv2_',
    'tskey-[a-z]+-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,60}|pcsk_[A-Za-z0-9_]{40,100}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}',
    TOKEN,
  ),
  word(
    'CFPAT- CCIPAT_ bkua_ ATBB pat-',
    'CFPAT-[A-Za-z0-9_-]{40,60}|CCIPAT_[A-Za-z0-9_]{40,100}|bkua_[0-9a-f]{40}|ATBB[A-Za-z0-9]{32}|pat-(?:na|eu)\\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
    TOKEN,
  ),
  word('AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{58}', TOKEN),
  word('Q~', String.raw`[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])`, '[AZURE_SECRET_REDACTED]'),
  {
    hints: ['ccountKey=', 'ccessKey='],
    pattern: /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{20,512}={0,2})/dg,
    reach: ADDRESS_REACH,
    mark: '[SECRET_REDACTED]',
  },
  {
    hints: ['ey=', 'EY=', 'oken=', 'OKEN=', 'ecret=', 'assw', 'sig=', 'ignature=', 'auth='],
    // A key in the query of an address.
    pattern:
      /[?&](?:(?:api|access|subscription|function|auth|x)?[_-]?(?:key|token|code)|[\w-]{0,30}(?:api[_-]?key|access[_-]?token|refresh[_-]?token|secret|passw(?:or)?d|signature)|sig|auth)=(?<secret>[^\s&#"'\x60<>(){}\\[\]]{8,2048})/dgi,
    reach: ADDRESS_REACH,
    mark: '[SECRET_REDACTED]',
    isSecret: isSecretKey,
  },
  {
    hints: ['://'],
    // The password of an address, unless it is filled in from somewhere.
    pattern: /:\/\/[^\s/:@'"\\]{0,64}:(?<secret>[^\s/:@'"\\${}<>%[\]][^\s/:@'"\\]{2,127})(?=@)/dg,
    reach: ADDRESS_REACH,
    mark: '[PASSWORD_REDACTED]',
    isSecret: isSecretInAddress,
  },
  {
    hints: ['earer ', 'asic ', 'EARER ', 'ASIC '],
    pattern:
      /authorization\\?["']?[^\S\n]{0,4}[:=,][^\S\n]{0,4}\\?["']?(?:bearer|basic|token) (?<secret>[A-Za-z0-9._~+/-]{8,8192}={0,2})/dgi,
    isSecret: isSecretInHeader,
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
