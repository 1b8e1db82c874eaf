/** One thing that was looked at: whether it is well, and what it says of itself. */
export interface Finding {
  subject: string;
  isWell: boolean;
  says: string;
}

/** What looking gives; what goes wrong on the way is what is found. */
export async function find(subject: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { subject, isWell: true, says: await look() };
  } catch (error) {
    return { subject, isWell: false, says: error instanceof Error ? error.message : String(error) };
  }
}
