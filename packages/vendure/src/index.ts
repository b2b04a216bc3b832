export { TributaryPlugin } from './plugin.ts';
export type { TributaryOptions } from './tributary.ts';
