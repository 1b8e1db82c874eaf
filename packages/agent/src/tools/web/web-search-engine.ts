/** One thing that was found. */
export interface WebSearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** Whoever finds pages for a question. What goes wrong is a `ToolError` that says what to do. */
export interface WebSearchEngine {
  /** As people know it. */
  name: string;
  search(question: { query: string; limit: number }, signal: AbortSignal): Promise<WebSearchResult[]>;
}
