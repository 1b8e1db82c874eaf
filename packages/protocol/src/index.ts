export { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from './dragoman-error.ts';
export {
  createIdMaker,
  type Id,
  type IdPrefix,
  idSchema,
  type IdSources,
  idTime,
  newId,
  type RequestId,
  type TokenId,
  type UserId,
} from './id.ts';
export { isRoleAtLeast, type Role, roleSchema, weakerRole } from './role.ts';
