export type Output = 'service' | 'web';
export type Fingerprints = { readonly files: string; readonly contents: string };

export const sources: Readonly<Record<Output, readonly string[]>>;
export const outputNames: readonly Output[];
export function outputFolder(output: Output, program?: string): string;
export function isCurrent(output: Output, program?: string): boolean;
export function isBuiltFrom(output: Output, fingerprints: Fingerprints): boolean;
export function fingerprintSources(output: Output, program?: string): Fingerprints;
export function writeRecord(folder: string, fingerprints: Fingerprints): void;
