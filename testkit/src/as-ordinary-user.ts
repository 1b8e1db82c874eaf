/** The user who owns nothing. */
const NOBODY = 65_534;

/**
 * Does something as a user to whom the system forbids things. Nothing is forbidden to root, who is nobody for that long; what is
 * needed from a folder that only root may enter is read before.
 */
export async function asOrdinaryUser<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
