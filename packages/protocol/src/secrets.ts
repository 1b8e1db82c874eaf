export { hideValues, spellings } from './secrets/hide-values.ts';
export { type Keep, MASK } from './secrets/mask.ts';
export { isSecretParameter, maskAddresses } from './secrets/mask-addresses.ts';
export { maskCommand } from './secrets/mask-command.ts';
export { redactFields, redactFieldsInJson } from './secrets/redact-fields.ts';
export { redactSource } from './secrets/redact-source.ts';
export {
  type Redacted,
  redactText,
  redactTextInTurns,
  redactToolText,
  redactToolTextInTurns,
} from './secrets/redact-text.ts';
export { HOME_SECRETS, isSecretFile, SECRET_FILES } from './secrets/secret-files.ts';
export { judgeName, soundsSecret } from './secrets/secret-names.ts';
