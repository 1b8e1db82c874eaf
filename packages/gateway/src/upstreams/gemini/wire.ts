/** The parts of the Gemini API that we read and write, spelt as on the wire. */

export interface GeminiContent {
  role: 'user' | 'model';
  parts: GeminiPart[];
}

/** What a part is, is told by which of its fields is there. */
export interface GeminiPart {
  text?: string;
  /** The text is a summary of the model's thoughts. */
  thought?: boolean;
  /** Opaque. It belongs to this very part, and the model wants it back there. */
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args?: Readonly<Record<string, unknown>> };
  functionResponse?: { id?: string; name: string; response: Record<string, unknown> };
  inlineData?: { mimeType: string; data: string };
  fileData?: { mimeType: string; fileUri: string };
}

export interface GeminiThinkingConfig {
  includeThoughts: boolean;
  /** Gemini 3 and later. */
  thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH';
  /** Gemini 2.5, in tokens. */
  thinkingBudget?: number;
}

export interface GeminiUsage {
  promptTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
  cachedContentTokenCount?: number;
  toolUsePromptTokenCount?: number;
}

/** One event of a stream, or a whole answer. Usage counts from the beginning, so the last one is complete. */
export interface GeminiChunk {
  responseId?: string;
  modelVersion?: string;
  candidates?: { content?: { parts?: GeminiPart[] }; finishReason?: string }[];
  promptFeedback?: { blockReason?: string };
  usageMetadata?: GeminiUsage;
  error?: unknown;
}
