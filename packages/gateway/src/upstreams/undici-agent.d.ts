/** undici's agent without the rest of the package; the types are those of the package. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
