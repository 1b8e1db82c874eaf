/**
 * `node:http` for code that the server starts with. To `import` a value from there reads every export, and one of them loads
 * Node's own copy of undici, which takes 15 MB and which nothing here uses. Types are imported as usual.
 */
export const http = process.getBuiltinModule('node:http');
