/** A server wants a person to log in first. The address is for that person, and not for a model. */
export class LoginNeededError extends Error {
  override readonly name = 'LoginNeededError';
  readonly url: string;

  constructor(url: string) {
    super('a person has to log in first');
    this.url = url;
  }
}
