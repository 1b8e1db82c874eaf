/** What stands wherever a secret would, for people to see. */
export const MASK = '••••••';

/** Notes a secret that was found, and says what stands in its place. */
export type Keep = (secret: string) => string;
