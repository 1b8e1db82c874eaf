const ENDING = /^(.+?\.(?:png|jpe?g|gif|webp|avif|svg))(?:[?#].*)?$/i;

/**
 * The path of a picture on the machine that the target of an image names: from the folder of the session, or a whole one.
 * Nothing for an address elsewhere, and for what is no picture by its name.
 */
export function picturePath(target: string | null): string | undefined {
  if (target === null || target.length > 4096) return undefined;
  const text = target.trim().replace(/^file:\/\/(?:localhost)?(?=\/)(?:\/(?=[a-z]:[/\\]))?/i, '');
  // One letter is a drive; two slashes begin the name of another server.
  if (/^(?:[a-z][a-z\d+.-]+:|[/\\]{2})/i.test(text)) return undefined;
  const path = ENDING.exec(text)?.[1];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A sign for percent that is meant as one.
  }
}
