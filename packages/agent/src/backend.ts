export { createNativeHost, type NativeHost, type NativeHostOptions, type NativePorts } from './uap/native-host.ts';
export { NATIVE_CAPABILITIES, NATIVE_MODES } from './uap/native-capabilities.ts';
