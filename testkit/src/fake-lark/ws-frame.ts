/** A frame of the long connection: the protobuf message `pbbp2.Frame` of the SDK. */
export interface WsFrame {
  seqId: bigint;
  logId: bigint;
  service: number;
  /** 0 for control (ping, pong), 1 for data. */
  method: number;
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
}

/** Writes a frame as the platform does. */
export function encodeFrame(frame: WsFrame): Uint8Array {
  const parts: Buffer[] = [
    field(1, 0, varint(frame.seqId)),
    field(2, 0, varint(frame.logId)),
    field(3, 0, varint(BigInt(frame.service))),
    field(4, 0, varint(BigInt(frame.method))),
  ];
  for (const [key, value] of Object.entries(frame.headers)) {
    parts.push(bytesField(5, Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, Buffer.from(value))])));
  }
  parts.push(bytesField(8, Buffer.from(frame.payload)));
  return Buffer.concat(parts);
}

/** Reads a frame; throws on bytes that are none. */
export function decodeFrame(bytes: Uint8Array): WsFrame {
  const frame = { seqId: 0n, logId: 0n, service: 0, method: 0, payload: new Uint8Array() as Uint8Array };
  const headers: Record<string, string> = {};
  for (const { number, value } of fields(Buffer.from(bytes))) {
    if (typeof value === 'bigint') {
      if (number === 1) frame.seqId = value;
      else if (number === 2) frame.logId = value;
      else if (number === 3) frame.service = Number(BigInt.asIntN(32, value));
      else if (number === 4) frame.method = Number(BigInt.asIntN(32, value));
    } else if (number === 5) {
      const [key, header] = [...fields(value)].map((entry) => String(entry.value));
      if (key !== undefined) headers[key] = header ?? '';
    } else if (number === 8) {
      frame.payload = value;
    }
  }
  return { ...frame, headers };
}

function* fields(bytes: Buffer): Generator<{ number: number; value: bigint | Buffer }> {
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new RangeError(`a frame ends inside a number, at byte ${at}`);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const number = tag >>> 3;
    if ((tag & 7) === 0) {
      yield { number, value: readVarint() };
    } else if ((tag & 7) === 2) {
      const length = Number(readVarint());
      if (at + length > bytes.length) throw new RangeError(`a frame ends inside field ${number}`);
      yield { number, value: bytes.subarray(at, at + length) };
      at += length;
    } else {
      throw new RangeError(`field ${number} of a frame has wire type ${tag & 7}, which frames do not use`);
    }
  }
}

function field(number: number, wireType: number, content: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((number << 3) | wireType)), content]);
}

function bytesField(number: number, content: Buffer): Buffer {
  return field(number, 2, Buffer.concat([varint(BigInt(content.length)), content]));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
