// The layout engine takes a thread without a document for one of its own, and would answer to our messages; and the library that asks it
// sets `self`, which a thread lets nobody set.
Object.assign(globalThis, { document: {} });
Object.defineProperty(globalThis, 'self', { value: globalThis, writable: true, configurable: true });
