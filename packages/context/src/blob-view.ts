/** The blobs a question may be answered from: one state of one workspace, as one user sees it. */
export interface BlobView {
  /** Equal views have equal keys, and a key is never used for another view: what was prepared for a view is found by it. */
  key: string;
  blobNames: ReadonlySet<string>;
}
