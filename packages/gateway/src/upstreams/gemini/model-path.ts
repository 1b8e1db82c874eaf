/** Where a model is asked for content. */
export function contentPath(model: string, isStreamed: boolean): string {
  return modelPath(model, isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent');
}

/** Where a model is asked for something. A name with its collection, such as `tunedModels/mine`, stays as it is. */
export function modelPath(model: string, method: string): string {
  return `/${modelResource(model).split('/').map(encodeURIComponent).join('/')}:${method}`;
}

/** What a model is called in a body. */
export function modelResource(model: string): string {
  return model.includes('/') ? model : `models/${model}`;
}
