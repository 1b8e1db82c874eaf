import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Form, parseForm } from './parse-form.ts';

const TYPE = 'multipart/form-data; boundary=b';
const read = (text: string, type = TYPE) => parseForm(Buffer.from(text), type);
const textPart = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

/** What a browser would send. */
async function encode(form: FormData): Promise<{ body: Buffer; type: string }> {
  const response = new Response(form);
  return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type')! };
}

describe('a form', () => {
  test('has texts and files in their order', async () => {
    const form = new FormData();
    form.append('model', 'whisper-1');
    form.append('file', new Blob([Uint8Array.from([0, 13, 10, 45, 45, 255])], { type: 'audio/ogg' }), 'ä "1".ogg');
    form.append('model', '');
    const { body, type } = await encode(form);

    expect(parseForm(body, type)).toEqual({
      texts: [
        { name: 'model', text: 'whisper-1' },
        { name: 'model', text: '' },
      ],
      files: [
        {
          name: 'file',
          filename: 'ä "1".ogg',
          mediaType: 'audio/ogg',
          bytes: Buffer.from([0, 13, 10, 45, 45, 255]),
        },
      ],
    });
  });

  test('may have nothing in it, and words around it', () => {
    expect(read('--b--')).toEqual({ texts: [], files: [] });
    expect(read(`hello\r\n${textPart('a', '1')}--b--\r\nbye\r\n--b\r\n`)).toEqual({
      texts: [{ name: 'a', text: '1' }],
      files: [],
    });
  });

  test('keeps lines that only begin like a boundary', () => {
    expect(read(`${textPart('a', 'x\r\n--bc\r\n--b y\r\n--b-\r\n')}--b--`).texts).toEqual([
      { name: 'a', text: 'x\r\n--bc\r\n--b y\r\n--b-\r\n' },
    ]);
  });

  test('may name its boundary in quotes and have blanks behind it', () => {
    const text = '--b c: 1 \t\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n--b c: 1--';

    expect(read(text, 'multipart/form-data; charset=utf-8; boundary="b c: 1"').texts).toEqual([
      { name: 'a', text: '1' },
    ]);
  });

  test('has names as browsers, curl and Python write them', () => {
    const names = [
      ['filename="a%22b%0D%0A.ogg"', 'a"b\r\n.ogg'],
      [String.raw`filename="a\"b\\c.ogg"`, String.raw`a"b\c.ogg`],
      [String.raw`filename="C:\voice.ogg"`, String.raw`C:\voice.ogg`],
      ['filename=plain.ogg', 'plain.ogg'],
      [`filename="x.ogg"; filename*=UTF-8''%e5%a3%b0.ogg`, '声.ogg'],
      [`filename="x.ogg"; filename*=UTF-8''%e5%a3.ogg`, 'x.ogg'],
    ];
    for (const [said, filename] of names)
      expect(read(`--b\r\nContent-Disposition: form-data; name="f"; ${said}\r\n\r\n\r\n--b--`).files).toMatchObject([
        { name: 'f', filename, mediaType: 'application/octet-stream' },
      ]);
  });

  test('that cannot be read says what is wrong with it', () => {
    const mistakes: [text: string, message: string, type?: string][] = [
      ['--b--', 'The content-type of the form has no boundary.', 'multipart/form-data'],
      ['', 'The form cannot be read: it does not contain the boundary from its content-type.'],
      ['--c--', 'The form cannot be read: it does not contain the boundary from its content-type.'],
      [textPart('a', '1'), 'The form cannot be read: its last part is incomplete.'],
      ['--b\r\n--b--', 'The form cannot be read: the headers of part 1 are incomplete.'],
      [`${textPart('a', '1')}--b\r\n\r\n\r\n--b--`, 'The form cannot be read: the headers of part 2 are incomplete.'],
      ['--b\r\nX: y\r\n\r\n1\r\n--b--', 'The form cannot be read: part 1 has no name.'],
      [`${textPart('a', '1').repeat(101)}--b--`, 'The form has more than 100 parts.'],
      [`${textPart('a', 'x'.repeat(262_145))}--b--`, 'Part 1 of the form is text of more than 262144 bytes.'],
    ];
    for (const [text, message, type] of mistakes) expect(() => read(text, type)).toThrow(message);
  });

  test('comes back as it was sent, whatever is in it', async () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.toWellFormed());
    const filename = name.filter((text) => text !== ''); // One without a name is sent as a text.
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(Buffer.from('\r\n--\r\n\r\n----\r\n')));
    const part = fc.oneof(
      fc.record({ name, text: name }),
      fc.record({ name, filename, mediaType: fc.constantFrom('audio/wav', 'text/plain'), bytes }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const sent = new FormData();
        const expected = new Form();
        for (const given of parts)
          if ('text' in given) {
            sent.append(given.name, given.text);
            expected.texts.push({ name: lines(given.name), text: lines(given.text) });
          } else {
            sent.append(given.name, new Blob([Buffer.from(given.bytes)], { type: given.mediaType }), given.filename);
            expected.files.push({ ...given, name: lines(given.name), bytes: Buffer.from(given.bytes) });
          }
        const { body, type } = await encode(sent);
        expect(parseForm(body, type)).toEqual(expected);
      }),
    );
  });

  test('that is any bytes is read or refused', () => {
    const piece = fc.constantFrom(
      '--b',
      '\r\n',
      '--',
      '\r\n\r\n',
      ': ',
      'content-disposition: form-data; name=',
      '"',
      ';',
      '\\',
      '=',
      'filename*=',
      'a',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary-ascii', maxLength: 3 })), { maxLength: 40 }),
        (pieces) => {
          expect(['read', 'refused']).toContain(outcomeOf(pieces.join('')));
        },
      ),
    );
  });
});

/** A form sends every line end as two characters. */
function lines(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, '\r\n');
}

function outcomeOf(text: string): string {
  try {
    read(text);
    return 'read';
  } catch (error) {
    return error instanceof DragomanError ? 'refused' : String(error);
  }
}
