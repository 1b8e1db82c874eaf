/** What a segment needs vectors for, in the order in which it holds them. */
export interface TextsOfSegment {
  chunks: string[];
  paths: string[];
}

/** The vectors of a segment, packed, as many bytes for each as for any other; empty where there are none. */
export interface VectorsOfSegment {
  chunks: Uint8Array<ArrayBuffer>;
  paths: Uint8Array<ArrayBuffer>;
}

/** The texts of a segment whose vectors are made elsewhere, as it grows. */
export class SegmentTexts {
  readonly space: string;
  /** Roughly the memory they take. */
  bytes = 0;
  #chunks: string[] = [];
  #paths: string[] = [];

  constructor(space: string) {
    this.space = space;
  }

  addPath(path: string): void {
    this.#paths.push(placeOf(path));
    this.bytes += path.length;
  }

  /** Where it stands comes first: a piece of code alone often does not say what it belongs to. */
  addChunk(path: string, text: string): void {
    this.#chunks.push(`${placeOf(path)}\n${text}`);
    this.bytes += text.length;
  }

  /** All of them; none are left here. */
  take(): TextsOfSegment {
    const taken = { chunks: this.#chunks, paths: this.#paths };
    this.#chunks = [];
    this.#paths = [];
    this.bytes = 0;
    return taken;
  }
}

/** The last two parts of a path. */
function placeOf(path: string): string {
  return path.split('/').slice(-2).join('/');
}
