/**
 * The folder with `package.json`. Files that are read or started at run time are named relative to it, because the path of a source file is
 * another one when it is part of `dist/service`. Both are two folders deep.
 */
export const programFolder = new URL('../../', import.meta.url);
