export { HOME_SECRETS, isSecretFile, SECRET_FILES } from './secret-files.ts';
