import { DragomanError } from '@dragoman/protocol';

/** No form that is sent here has more than a dozen parts. */
const MOST_PARTS = 100;
const MOST_HEAD_BYTES = 8 * 1024;
/** Of one text. A file may be as long as the body. */
const MOST_TEXT_BYTES = 256 * 1024;

/** A form as a browser or `curl -F` sends it, its parts in their order. */
export class Form {
  readonly texts: { name: string; text: string }[] = [];
  readonly files: FormFile[] = [];
}

export interface FormFile {
  /** The name of the field. */
  name: string;
  filename: string;
  mediaType: string;
  /** A view of the body, not a copy. */
  bytes: Buffer;
}

/**
 * Reads a body of type `multipart/form-data`. What stands before the first boundary and behind the last one is no part
 * of the form.
 */
export function parseForm(body: Buffer, contentType: string): Form {
  const mark = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  const form = new Form();
  let boundary = firstBoundary(body, mark);
  if (boundary === undefined) throw broken('it does not contain the boundary from its content-type');
  for (let count = 0; !boundary.isLast; count++) {
    if (count === MOST_PARTS) throw new DragomanError('too-large', `The form has more than ${MOST_PARTS} parts.`);
    const next = nextBoundary(body, mark, boundary.end - LINE_END.length);
    if (next === undefined) throw broken('its last part is incomplete');
    addPart(form, body.subarray(boundary.end, next.start), count + 1);
    boundary = next;
  }
  return form;
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const [TAB, LINE_FEED, RETURN, SPACE, DASH] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

/** The line between two parts: where the part before it ends and the one behind it begins. */
interface Boundary {
  start: number;
  end: number;
  /** Nothing comes behind it. */
  isLast: boolean;
}

function boundaryOf(contentType: string): string {
  const { quoted, plain } =
    /;\s*boundary\s*=\s*(?:"(?<quoted>[^"]*)"|(?<plain>[^\s;"]+))/i.exec(contentType)?.groups ?? {};
  const boundary = quoted ?? plain ?? '';
  if (boundary !== '' && boundary.length <= 200) return boundary;
  throw new DragomanError('bad-request', 'The content-type of the form has no boundary.');
}

/** No line ends before the first boundary where the body begins with it. */
function firstBoundary(body: Buffer, mark: Buffer): Boundary | undefined {
  const length = mark.length - LINE_END.length;
  const isAtStart = body.subarray(0, length).equals(mark.subarray(LINE_END.length));
  return (isAtStart ? readBoundary(body, 0, length) : undefined) ?? nextBoundary(body, mark, 0);
}

function nextBoundary(body: Buffer, mark: Buffer, from: number): Boundary | undefined {
  for (let start = body.indexOf(mark, from); start !== -1; start = body.indexOf(mark, start + 1)) {
    const boundary = readBoundary(body, start, start + mark.length);
    if (boundary !== undefined) return boundary;
  }
  return undefined;
}

/** The rest of a line that begins like a boundary. One that goes on otherwise belongs to a part. */
function readBoundary(body: Buffer, start: number, behind: number): Boundary | undefined {
  if (body[behind] === DASH && body[behind + 1] === DASH) return { start, end: behind + 2, isLast: true };
  let end = behind;
  while (body[end] === SPACE || body[end] === TAB) end++;
  return body[end] === RETURN && body[end + 1] === LINE_FEED ? { start, end: end + 2, isLast: false } : undefined;
}

function addPart(form: Form, part: Buffer, number: number): void {
  const headEnd = part.subarray(0, MOST_HEAD_BYTES).indexOf(HEAD_END);
  if (headEnd === -1) throw broken(`the headers of part ${number} are incomplete`);
  const head = readHead(part.toString('utf8', 0, headEnd));
  const bytes = part.subarray(headEnd + HEAD_END.length);
  const { name, filename, mediaType } = head;
  if (name === undefined) throw broken(`part ${number} has no name`);
  if (filename !== undefined) form.files.push({ name, filename, mediaType, bytes });
  else if (bytes.length > MOST_TEXT_BYTES)
    throw new DragomanError('too-large', `Part ${number} of the form is text of more than ${MOST_TEXT_BYTES} bytes.`);
  else form.texts.push({ name, text: bytes.toString('utf8') });
}

const PARAMETER = /;\s*(?<key>[\w*-]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s;"]*))/g;

function readHead(head: string): { name: string | undefined; filename: string | undefined; mediaType: string } {
  const fields = new Map<string, string>();
  for (const line of head.split(LINE_END)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const parameters = new Map<string, string>();
  for (const { groups } of (fields.get('content-disposition') ?? '').matchAll(PARAMETER))
    parameters.set(groups!['key']!.toLowerCase(), groups!['plain'] ?? unescape(groups!['quoted']!));
  return {
    name: parameters.get('name'),
    filename: extendedName(parameters.get('filename*')) ?? parameters.get('filename'),
    mediaType: fields.get('content-type') ?? 'application/octet-stream',
  };
}

/** Browsers write quotes and line ends of a name by their number, curl writes a backslash before them. */
function unescape(quoted: string): string {
  return quoted
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%22/g, '"')
    .replaceAll(/%0A/gi, '\n')
    .replaceAll(/%0D/gi, '\r');
}

/** A name that says how its letters are written, as some libraries send it beside the plain one. */
function extendedName(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function broken(reason: string): DragomanError {
  return new DragomanError('bad-request', `The form cannot be read: ${reason}.`);
}
