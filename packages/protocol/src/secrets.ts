export { hideValues, spellings } from './secrets/hide-values.ts';
export { looksLikeKey } from './secrets/looks-like-key.ts';
export { type Keep, MASK } from './secrets/mask.ts';
export { carriesPassword, isSecretParameter, maskAddresses } from './secrets/mask-addresses.ts';
export { maskCommand } from './secrets/mask-command.ts';
export { mayHoldPrivateKey } from './secrets/private-keys.ts';
export { redactSource, redactSourceInTurns, redactSourceLine } from './secrets/redact-source.ts';
export {
  isPlainText,
  redactText,
  redactTextInTurns,
  redactToolText,
  redactToolTextInTurns,
  redactToolValue,
  redactToolValueInTurns,
  redactValueInTurns,
} from './secrets/redact-text.ts';
export { HOME_SECRETS, isSecretFile, SECRET_FILES } from './secrets/secret-files.ts';
export { isSecretField } from './secrets/secret-fields.ts';
export { judgeName, soundsSecret } from './secrets/secret-names.ts';
export type { Redacted, Turns } from './secrets/turns.ts';
