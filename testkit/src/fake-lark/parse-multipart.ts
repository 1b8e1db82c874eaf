/** One part of a form. */
export interface FormPart {
  name: string;
  fileName: string | undefined;
  mediaType: string | undefined;
  bytes: Uint8Array;
}

/**
 * The parts of a `multipart/form-data` body.
 *
 * The SDK sends a Buffer as a part without a file name, which `Response.formData` would read as text.
 */
export function parseMultipart(body: Buffer, contentType: string): FormPart[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const mark = Buffer.from(`--${boundary}`);
  const parts: FormPart[] = [];
  let at = body.indexOf(mark);
  while (at >= 0) {
    const start = at + mark.length + 2; // After the line end.
    const end = body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), start);
    const middle = body.indexOf('\r\n\r\n', start);
    if (end < 0 || middle < 0 || middle > end) break;
    const head = body.subarray(start, middle).toString();
    const name = /[ ;]name="([^"]*)"/i.exec(head)?.[1];
    if (name !== undefined) {
      parts.push({
        name,
        fileName: /filename="([^"]*)"/i.exec(head)?.[1],
        mediaType: /^content-type: *(\S+)/im.exec(head)?.[1],
        bytes: new Uint8Array(body.subarray(middle + 4, end)),
      });
    }
    at = end + 2;
  }
  return parts;
}
