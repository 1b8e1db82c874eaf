export { createNativeHost, type NativeHost, type NativeHostOptions, type NativePorts } from './uap/native-host.ts';
export { NATIVE_CAPABILITIES } from './uap/native-capabilities.ts';
