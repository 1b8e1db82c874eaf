/** The models that a person wrote down for a token; nothing where it may use all. What is wrong with one the server says. */
export function readModels(text: string): { models?: string[] } {
  const models = text.split(/[\s,，、]+/).filter((name) => name !== '');
  return models.length === 0 ? {} : { models };
}
