/** What helps where a provider does not know the key: the pages of the console lead there from these words. */
export const REJECTED_KEY_FIX = 'The provider rejected the API key. Replace it under Gateway.';
