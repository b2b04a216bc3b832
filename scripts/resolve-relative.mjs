import { registerHooks } from 'node:module';

/*
 * A relative path with one of these extensions names its file. Node would look for the file, its real path, and its package for each of four
 * thousand imports, which takes an eighth of the time to load the service.
 */
const formats = { '.ts': 'module-typescript', '.mjs': 'module' };

registerHooks({
  resolve(specifier, context, nextResolve) {
    const format = specifier.startsWith('.') ? formats[specifier.slice(specifier.lastIndexOf('.'))] : undefined;
    if (format === undefined || context.parentURL === undefined) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
  },
});
